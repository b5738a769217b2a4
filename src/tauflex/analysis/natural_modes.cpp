#include "tauflex/analysis/natural_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "tauflex/base/text.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/elastic_parts.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

namespace {

// Velocities that no motor holds.
std::vector<int> unlocked(const Robot& robot, bool drives_locked) {
  std::vector<bool> locked(robot.nv(), false);
  if (drives_locked)
    for (const DriveLayout& drive : robot.actuation().drives) locked[drive.row()] = true;
  std::vector<int> list;
  for (int k = 0; k < robot.nv(); ++k)
    if (!locked[k]) list.push_back(k);
  return list;
}

// Columns: motions of the unlocked velocities that constraints allow, nv rows.
Matrix allowed_motions(const Robot& robot, const MechanicsData& data,
                       const std::vector<int>& velocities) {
  const int n = static_cast<int>(velocities.size()), m = robot.constraint_count();
  Matrix selected = Matrix::Zero(robot.nv(), n);
  for (int k = 0; k < n; ++k) selected(velocities[k], k) = 1;
  if (m == 0 || n == 0) return selected;
  Matrix G = Matrix::Zero(m, robot.nv());
  constraint_jacobian(robot, data, G.leftCols(robot.tree_nv()));
  const Svd parts = svd(G * selected);
  const int rank = decide_rank(parts.sigma, 1e-9 * parts.sigma.maxCoeff()).rank;
  return selected * parts.V.rightCols(n - rank);
}

void add_shares(const std::vector<ElasticPart>& parts, NaturalMode& mode) {
  double total = 0;
  for (const ElasticPart& part : parts) {
    const double energy = mode.shape.dot(part.stiffness * mode.shape).real();
    mode.shares.push_back({part.name, part.is_distributed, energy});
    total += energy;
  }
  for (NaturalMode::Share& share : mode.shares) share.fraction /= total > 0 ? total : 1;
  std::stable_sort(mode.shares.begin(), mode.shares.end(),
                   [](const auto& a, const auto& b) { return a.fraction > b.fraction; });
}

std::string which_one(int number) {
  const char* words[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
  return number <= 6 ? words[number - 1] : ordinal(number);
}

// Modes in which a part has most of the energy are its first, its second, ...
void add_words(std::vector<NaturalMode>& modes) {
  std::map<std::string, int> seen;
  for (NaturalMode& mode : modes) {
    for (size_t i = 0; i < mode.shares.size(); ++i) {
      const NaturalMode::Share& share = mode.shares[i];
      if (share.fraction < 0.05 && i > 0) break;
      const std::string which = i == 0 && share.is_distributed
                                    ? which_one(++seen[share.part]) + " " + share.part
                                    : share.part;
      mode.words += fmt::format("{}{}, {:.0f} %", i > 0 ? "; " : "", which, 100 * share.fraction);
    }
  }
}

}  // namespace

NaturalModes natural_modes(const Robot& robot, const Vector& q, const Vector& lambda,
                           bool drives_locked) {
  MechanicsData data(robot);
  MotionDerivatives of(robot);
  const Vector still = Vector::Zero(robot.nv());
  motion_derivatives(robot, data, q, still, still, of);
  Matrix K = of.stiffness;
  if (lambda.size() > 0)
    add_constraint_force_derivative(robot, data, lambda, -1,
                                    K.topLeftCorner(robot.tree_nv(), robot.tree_nv()));
  const Matrix N = allowed_motions(robot, data, unlocked(robot, drives_locked));
  const int n = static_cast<int>(N.cols());
  NaturalModes result;
  if (n == 0) return result;
  // forces that nothing balances, against those that a turn of a tenth would make
  Vector forces(robot.nv());
  motion_forces<double>(robot, data, q, still, still, forces);
  if (lambda.size() == robot.constraint_count())
    add_constraint_forces<double>(robot, data, lambda, -1, forces.head(robot.tree_nv()));
  const Vector left = N.transpose() * forces;
  const Matrix stiff = N.transpose() * K * N;
  result.at_rest = !drives_locked || left.norm() <= 1e-6 * (1e-9 + 0.1 * stiff.norm());

  const Matrix M = N.transpose() * of.mass * N, D = N.transpose() * of.damping * N;
  Matrix A = Matrix::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -solve_linear(M, stiff);
  A.bottomRightCorner(n, n) = -solve_linear(M, D);
  const Eigensystem system = eigensystem(A);
  const double fastest = system.values.cwiseAbs().maxCoeff();
  const std::vector<ElasticPart> parts = elastic_parts(robot, data, q);
  int slow = 0;
  for (int k = 0; k < 2 * n; ++k) {
    const std::complex<double> s = system.values[k];
    if (std::abs(s) < 1e-6 * fastest) {
      ++slow;
      continue;
    }
    if (std::abs(s.imag()) <= 1e-9 * std::abs(s) && s.real() > 0)
      result.falling.push_back(s.real());
    if (s.imag() <= 1e-9 * std::abs(s)) continue;
    NaturalMode mode;
    mode.s = s;
    mode.frequency = std::abs(s) / (2 * std::numbers::pi);
    mode.damping = -s.real() / std::abs(s);
    if (std::abs(mode.damping) < 1e-9) mode.damping = 0;
    mode.shape = N * system.vectors.col(k).head(n);
    Eigen::Index largest = 0;
    mode.shape.cwiseAbs().maxCoeff(&largest);
    mode.shape /= mode.shape[largest];
    add_shares(parts, mode);
    result.modes.push_back(mode);
  }
  result.free_motions = (slow + 1) / 2;
  std::sort(result.falling.rbegin(), result.falling.rend());
  std::stable_sort(result.modes.begin(), result.modes.end(),
                   [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  add_words(result.modes);
  return result;
}

Vector settled(const Robot& robot, const Vector& q) {
  const std::vector<int> velocities = unlocked(robot, true);
  if (robot.constraint_count() > 0 || velocities.empty()) return q;
  MechanicsData data(robot);
  MotionDerivatives of(robot);
  const Vector still = Vector::Zero(robot.nv());
  Vector at = q, forces(robot.nv());
  const auto correct = [&](const NewtonState&) {
    motion_derivatives(robot, data, at, still, still, of);
    motion_forces<double>(robot, data, at, still, still, forces);
    Vector step = still;
    step(velocities) = -solve_linear(of.stiffness(velocities, velocities), forces(velocities));
    move(robot, step, at);
    return step.cwiseAbs().maxCoeff();
  };
  return newton({.max_iterations = 50}, correct).converged ? at : q;
}

}  // namespace tauflex
