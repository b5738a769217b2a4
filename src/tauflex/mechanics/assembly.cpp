#include "tauflex/mechanics/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

constexpr double closed = 1e-10;    // rad or sizes of the robot; rounding stays below 1e-13
constexpr double dependent = 1e-8;  // of the largest pivot of G, lengths in sizes of the robot
constexpr double nearby = 0.05;     // rad or sizes of the robot: how far other poses are tried

// The closest that the given rows can be closed; lengths in sizes of the robot.
LeastSquaresResult close_rows(const Robot& robot, double t, const Vector& guess) {
  const int m = robot.constraint_count(), nq = robot.nq(),
            quaternions = static_cast<int>(robot.coordinates().quaternions.size());
  MechanicsData data(robot);
  Matrix G(m, robot.tree_nv());
  const Vector units = constraint_units(robot);
  // What a spring holds stays where it is at first: beams would bend instead of joints that turn.
  Vector moves = Vector::Ones(nq);
  for (const SpringEntry& spring : robot.springs().joint)
    if (const int k = robot.coordinates().of_velocity[spring.row];
        spring.row == spring.column && spring.stiffness > 0 && k >= 0)
      moves[k] = 0;
  const auto equations = [&](const Vector& q, Vector& r, Matrix& J) {
    r.resize(m + quaternions);
    J = Matrix::Zero(m + quaternions, nq);
    kinematics<double>(robot, data, q);
    constraint_values<double>(robot, data, q, t, r.head(m));
    constraint_jacobian(robot, data, G);
    by_coordinates(robot, q, G, J.topRows(m));
    r.head(m) = r.head(m).cwiseQuotient(units);
    J.topRows(m) = units.cwiseInverse().asDiagonal() * J.topRows(m);
    for (int i = 0; i < quaternions; ++i) {
      const int at = robot.coordinates().quaternions[i].q;
      r[m + i] = 0.5 * (q.segment<4>(at).squaredNorm() - 1);
      J.block<1, 4>(m + i, at) = q.segment<4>(at).transpose();
    }
    J = (J * moves.asDiagonal()).eval();
  };
  LeastSquaresResult best = least_squares(equations, guess);
  const bool all_moved = moves.isOnes();
  moves.setOnes();
  std::mt19937 random(1);  // the same start for the same job
  std::uniform_real_distribution<double> offset(-1, 1);
  for (int attempt = 0; attempt < 6 && !(best.residual.norm() < closed); ++attempt) {
    Vector q = guess;  // further attempts leave a stretched or otherwise singular guess
    for (double& value : q)
      value += offset(random) * (attempt == 0 ? 0 : std::pow(4.0, attempt - 5));
    if (attempt == 0 && all_moved) continue;
    LeastSquaresResult found = least_squares(equations, q);
    if (found.residual.norm() < best.residual.norm()) best = std::move(found);
  }
  return best;
}

// One sentence about constraints that cannot be satisfied.
std::string explain(const Robot& robot, double t, const Vector& guess, const Vector& residual) {
  // back to metres
  const auto gap_of = [](const Robot& part, const Vector& scaled) {
    return scaled.head(part.constraint_count()).cwiseProduct(constraint_units(part)).norm();
  };
  const auto rows_of = [&](int constraint) {
    std::vector<int> rows;
    for (int i = 0; i < robot.constraint_count(); ++i)
      if (robot.constraints()[i].constraint == constraint) rows.push_back(i);
    return rows;
  };
  std::vector<std::string> open;
  for (int c = 0; c < static_cast<int>(robot.description().constraints.size()); ++c) {
    const std::vector<int> rows = rows_of(c);
    if (rows.empty()) continue;
    const Robot alone = robot.with_constraint_rows(rows);
    const auto found = close_rows(alone, t, guess);
    const Constraint& constraint = robot.description().constraints[c];
    if (found.residual.head(alone.constraint_count()).norm() >= closed)
      return fmt::format("{}: constraint '{}' cannot be closed: it stays {:.3g} open",
                         constraint.where.empty() ? "robot" : constraint.where, constraint.name,
                         gap_of(alone, found.residual));
    for (const int row : rows)
      if (std::abs(residual[row]) >= closed &&
          std::find(open.begin(), open.end(), constraint.name) == open.end())
        open.push_back(constraint.name);
  }
  return fmt::format(
      "robot: constraints {} contradict each other: each can be satisfied alone, together they "
      "stay {:.3g} open",
      join(open, " and "), gap_of(robot, residual));
}

}  // namespace

Vector assemble(const Robot& robot, double t, const Vector& guess) {
  if (robot.constraint_count() == 0) return guess;
  const LeastSquaresResult found = close_rows(robot, t, guess);
  if (!(found.residual.norm() < closed))
    throw ProblemError(explain(robot, t, guess, found.residual));
  return found.x;
}

Matrix constraint_matrix(const Robot& robot, const Vector& q) {
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Matrix G(robot.constraint_count(), robot.tree_nv());
  constraint_jacobian(robot, data, G);
  return G;
}

std::vector<int> independent_constraint_rows(const Robot& robot, double t, const Vector& q) {
  std::vector<int> best;
  std::mt19937 random(2);
  std::uniform_real_distribution<double> offset(-nearby, nearby);
  const double size = robot_size(robot);
  const Vector row_units = constraint_units(robot);
  const Vector units = velocity_units(robot).head(robot.tree_nv());
  for (int attempt = 0; attempt < 4; ++attempt) {
    Vector pose = q;
    if (attempt > 0) {
      for (int k = 0; k < robot.nq(); ++k)
        pose[k] += offset(random) * (robot.coordinates().is_angle[k] ? 1 : size);
      const auto found = close_rows(robot, t, pose);
      if (!(found.residual.norm() < closed)) continue;
      pose = found.x;
    }
    const Matrix G =
        row_units.cwiseInverse().asDiagonal() * constraint_matrix(robot, pose) * units.asDiagonal();
    ColumnOrder rows = pivot_columns(G.transpose(), dependent);
    rows.columns.resize(rows.rank);
    if (rows.columns.size() > best.size()) best = rows.columns;
  }
  std::sort(best.begin(), best.end());
  return best;
}

}  // namespace tauflex
