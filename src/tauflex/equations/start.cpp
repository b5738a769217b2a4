#include "tauflex/equations/start.hpp"

#include <fmt/format.h>

#include <random>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/model/natural_units.hpp"
#include "tauflex/problem/least_torque.hpp"

namespace tauflex {

namespace {

constexpr double reached = 1e-9;          // of the scaled rows; rounding stays below 1e-12
constexpr double far_in_one_step = 1e-3;  // offset of further guesses, rad or m

// The static equations in z = (q, lambda), each row divided by its size at the guess.
class StaticEquations {
 public:
  StaticEquations(const InverseProblem& problem, double t)
      : problem_(problem), dae_(problem), least_(problem), t_(t) {
    x_ = xdot_ = Vector::Zero(dae_.size());
    r_ = Vector::Zero(dae_.rows());
    F_x_ = F_xdot_ = Matrix::Zero(dae_.rows(), dae_.size());
  }

  int nq() const { return problem_.robot().nq(); }
  int multipliers() const { return problem_.robot().constraint_count(); }

  void operator()(const Vector& z, Vector& r, Matrix& J) {
    const int first = dae_.first_static_row(), rows = dae_.rows() - first, ng = multipliers();
    x_.head(nq()) = z.head(nq());
    x_.tail(ng) = z.tail(ng);
    dae_.residual(t_, x_, xdot_, r_);
    dae_.jacobians(t_, x_, xdot_, F_x_, F_xdot_);
    r = r_.tail(rows);
    J.resize(rows, z.size());
    J << F_x_.block(first, 0, rows, nq()), F_x_.bottomRightCorner(rows, ng);
    if (scale_.size() == 0) {
      scale_ = J.rowwise().norm();
      for (double& s : scale_) s = s > 0 ? 1 / s : 1;
    }
    r = scale_.asDiagonal() * r;
    J = scale_.asDiagonal() * J;
  }

  // Servo and constraint rows are the last ones.
  int closing_rows() const { return problem_.output_count() + multipliers(); }
  Vector unscaled(const Vector& r) const { return r.cwiseQuotient(scale_); }
  Matrix unscaled_rows(const Matrix& J) const { return scale_.cwiseInverse().asDiagonal() * J; }
  std::string name(Eigen::Index row) const {
    return dae_.equation_name(static_cast<int>(row) + dae_.first_static_row());
  }
  // Torques and multipliers; the least torque where there is a choice.
  void torques(RestState& state) {
    const Robot& robot = problem_.robot();
    const Vector zero = Vector::Zero(robot.nv());
    if (problem_.is_redundant()) {
      MechanicsData data(robot);
      joint_torques<double>(robot, data, state.q, zero, zero);
      Vector wanted(problem_.output_count());
      path_values<double>(problem_.path(), t_, wanted);
      least_.solve(data.tau, constraint_matrix(robot, state.q), wanted, state.lambda);
      turn_rotors(data, state);
    }
    state.u.resize(static_cast<Eigen::Index>(robot.actuation().drives.size()));
    dae_.torques(state.q, zero, zero, state.lambda, state.u);
  }

 private:
  // Rotors wound up by what the least torque asks of their springs: K d + hardening = tau - G^T
  // lambda.
  void turn_rotors(MechanicsData& data, RestState& state) const {
    const Robot& robot = problem_.robot();
    add_constraint_forces<double>(robot, data, state.lambda, -1, data.tau);
    const DriveTrain drives(robot);
    Vector load(drives.size());
    drives.loads(data.tau, load);
    drives.set_rotor_positions(stretch_at_rest(drives, load), state.q);
  }

  const InverseProblem& problem_;
  InverseDae dae_;
  LeastTorque least_;
  double t_;
  Vector x_, xdot_, r_, scale_;
  Matrix F_x_, F_xdot_;
};

// Rows of motion outputs at q, nv columns.
Matrix output_rows(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Matrix J(problem.output_count(), robot.nv());
  Vector here(problem.output_count());
  output_values(robot, data, q, Vector::Zero(robot.constraint_count()), problem.outputs(), here);
  output_jacobian(robot, data, problem.outputs(), here, J);
  return J(problem.motion_outputs(), Eigen::all);
}

}  // namespace

Matrix independence_rows(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  const Matrix J = output_rows(problem, q), G = constraint_matrix(robot, q);
  Matrix rows = Matrix::Zero(J.rows() + G.rows(), J.cols());
  rows.topRows(J.rows()) = J;
  rows.bottomLeftCorner(G.rows(), G.cols()) = G;
  // lengths and angles side by side
  const double size = robot_size(robot);
  Eigen::Index row = 0;
  for (const int i : problem.motion_outputs())
    rows.row(row++) /= problem.outputs().rows[i].quantity == Quantity::length ? size : 1;
  for (const double unit : constraint_units(robot)) rows.row(row++) /= unit;
  return rows * velocity_units(robot).asDiagonal();
}

double output_independence(const InverseProblem& problem, const Vector& q) {
  const Matrix rows = independence_rows(problem, q);
  if (rows.rows() == 0) return 1;
  const Vector sigma = singular_values(rows);
  return sigma.size() < rows.rows() ? 0 : sigma[sigma.size() - 1] / sigma[0];
}

namespace {

// Throws when the constraints alone decide an output.
void require_free_outputs(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  if (robot.constraint_count() == 0) return;
  const Matrix rows = independence_rows(problem, q).leftCols(robot.tree_nv());
  const Matrix G = rows.bottomRows(robot.constraint_count());
  int row = 0;
  for (const int output : problem.motion_outputs()) {
    const Vector wanted = rows.row(row++).transpose();
    if (wanted.norm() < 1e-12) continue;  // a rotor, or a singular pose
    const Vector share = least_norm_solution(G.transpose(), wanted);
    if ((G.transpose() * share - wanted).norm() > singular_ratio * wanted.norm()) continue;
    std::vector<std::string> holding;
    for (int i = 0; i < robot.constraint_count(); ++i) {
      const std::string& name =
          robot.description().constraints[robot.constraints()[i].constraint].name;
      if (std::abs(share[i]) > 1e-6 * share.cwiseAbs().maxCoeff() &&
          std::find(holding.begin(), holding.end(), name) == holding.end())
        holding.push_back(name);
    }
    throw ProblemError(fmt::format(
        "{}: output '{}' is fixed by constraint {}; it cannot be moved, take another output or its "
        "force",
        problem.task().where, problem.outputs().rows[output].name, join(holding, " and ")));
  }
}

// How close the outputs get to where they shall be, whatever the joints have to do for it.
LeastSquaresResult closest_approach(StaticEquations& equations, const Vector& z) {
  const int closing = equations.closing_rows();
  Vector all;
  Matrix J_all;
  const auto outputs_only = [&](const Vector& x, Vector& r, Matrix& J) {
    equations(x, all, J_all);
    r = equations.unscaled(all).tail(closing);
    J = equations.unscaled_rows(J_all).bottomRows(closing);
  };
  return least_squares(outputs_only, z);
}

}  // namespace

RestState rest_state(const InverseProblem& problem, double t, const Vector& guess) {
  RestState state;
  StaticEquations equations(problem, t);
  LeastSquaresResult best;
  std::mt19937 random(1);  // the same start for the same job
  std::uniform_real_distribution<double> offset(0, far_in_one_step);
  for (int attempt = 0; attempt < 4; ++attempt) {
    Vector z = Vector::Zero(equations.nq() + equations.multipliers());
    z.head(equations.nq()) = guess;  // further attempts leave a singular guess: a stretched arm
    if (attempt == 1 && equations.multipliers() > 0) {
      // positions first, then what the constraints carry there, which is linear
      z = closest_approach(equations, z).x;
      Vector r;
      Matrix J;
      equations(z, r, J);
      const auto carried = J.rightCols(equations.multipliers());
      z.tail(equations.multipliers()) -= least_norm_solution(carried, r);
    } else if (attempt > 0) {
      for (double& value : z) value += offset(random) * std::pow(10, attempt);
    }
    LeastSquaresResult found = least_squares(std::ref(equations), z);
    if (attempt == 0 || found.residual.norm() < best.residual.norm()) best = std::move(found);
    if (best.residual.norm() < reached) break;
  }
  state.q = best.x.head(equations.nq());
  state.lambda = best.x.tail(equations.multipliers());
  equations.torques(state);
  state.independence = output_independence(problem, state.q);
  if (best.residual.norm() >= reached) {
    state.status = Status::not_solvable;
    const Vector r = equations.unscaled(best.residual);
    const int ny = problem.output_count();
    Eigen::Index worst = 0;
    if (best.residual.tail(equations.closing_rows()).norm() > 1e-3 * best.residual.norm()) {
      std::string wanted;
      Vector y(ny);
      path_values<double>(problem.path(), t, y);
      for (int i = 0; i < ny; ++i)
        wanted += fmt::format("{}{} = {:.6g}", i ? ", " : "", problem.outputs().rows[i].name, y[i]);
      state.message = fmt::format("t = {:.6g} s: {} cannot be reached; the robot stays {:.3g} away",
                                  t, wanted, closest_approach(equations, best.x).residual.norm());
    } else {
      best.residual.cwiseAbs().maxCoeff(&worst);
      state.message =
          fmt::format("t = {:.6g} s: no equilibrium was found; equation '{}' is off by {:.3g}", t,
                      equations.name(worst), r[worst]);
    }
  }
  return state;
}

namespace {

// Throws when some joints move no mass: two springs in a row with nothing between them.
void require_mass(const InverseProblem& problem, const Vector& q) {
  const Robot& robot = problem.robot();
  if (robot.tree_nv() == 0) return;
  MechanicsData data(robot);
  mass_matrix(robot, data, q);
  const Vector scale = data.M.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Svd s = svd(scale.asDiagonal() * data.M * scale.asDiagonal());
  if (s.sigma[s.sigma.size() - 1] > 1e-13 * s.sigma[0]) return;
  const Vector idle = s.V.col(s.V.cols() - 1).cwiseAbs();
  std::vector<std::string> joints;
  for (int k = 0; k < robot.tree_nv(); ++k)
    if (idle[k] > 0.1 * idle.maxCoeff())
      joints.push_back("'" + robot.coordinates().velocity_names[k] + "'");
  throw ProblemError(
      fmt::format("{}: the mass matrix is singular: {} can move without moving any mass; give the "
                  "link between them a mass, or put their springs together",
                  problem.task().where, join(joints, " and ")));
}

}  // namespace

std::string pose_text(const Robot& robot, const VectorRef& q) {
  std::string pose;
  for (int i = 0; i < robot.tree_nq(); ++i)
    pose += fmt::format("{}{} = {:.6g}", i ? ", " : "", robot.coordinates().names[i], q[i]);
  return pose;
}

RestState consistent_start(const InverseProblem& problem) {
  const Vector guess = assemble(problem.robot(), problem.begin(), problem.near());
  require_free_outputs(problem, guess);
  require_mass(problem, guess);
  RestState state = rest_state(problem, problem.begin(), guess);
  if (state.status != Status::solved)
    throw ProblemError(fmt::format("{}: start: {}", problem.task().where, state.message));
  if (state.independence < singular_ratio) {
    throw ProblemError(
        fmt::format("{}: singular start at {}: the outputs cannot be moved independently there "
                    "(relative singular value {:.1g}); "
                    "start elsewhere on the path or choose other outputs",
                    problem.task().where, pose_text(problem.robot(), state.q), state.independence));
  }
  return state;
}

}  // namespace tauflex
