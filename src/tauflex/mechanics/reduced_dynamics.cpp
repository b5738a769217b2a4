#include "tauflex/mechanics/reduced_dynamics.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

namespace {

constexpr double singular = 1e-10;  // of the largest singular value

void require_rigid(const Robot& robot, const char* what) {
  if (robot.rotors() > 0)
    throw ProblemError(fmt::format("{} need rigid drives, but '{}' is elastic", what,
                                   robot.coordinates().names[robot.tree_nq()]));
}

// The least x with A x = b, and a basis of all that can be added to it.
struct AffineSolution {
  Vector least;
  Matrix null_space;
  double residual;  // of the largest |b|
};
AffineSolution solve_affine(const Matrix& A, const Vector& b) {
  const Svd s = svd(A);
  Eigen::Index rank = 0;
  while (rank < s.sigma.size() && s.sigma[rank] > singular * s.sigma[0]) ++rank;
  const Vector least =
      s.V.leftCols(rank) * (s.U.leftCols(rank).transpose() * b).cwiseQuotient(s.sigma.head(rank));
  const double size = b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0;
  return {least, s.V.rightCols(A.cols() - rank), size > 0 ? (A * least - b).norm() / size : 0};
}

}  // namespace

ReducedDynamics::ReducedDynamics(const Robot& robot, const Vector& q, const Vector& v, double t,
                                 const std::optional<Matrix>& D)
    : v_(v) {
  require_rigid(robot, "reduced dynamics");
  const int n = robot.tree_nv(), m = robot.constraint_count();
  MechanicsData data(robot);
  joint_torques<double>(robot, data, q, v, Vector::Zero(n));
  bias_ = data.tau;
  mass_matrix(robot, data, q);
  M_ = data.M;
  B_ = input_matrix(robot);
  G_ = constraint_matrix(robot, q);
  gamma_ = Vector::Zero(m);
  constraint_bias(robot, data, q, v, t, gamma_);
  D_ = D ? *D : Matrix(svd(G_).V.rightCols(n - m).transpose());
  if (D_.rows() != n - m || D_.cols() != n)
    throw InputError(fmt::format("D must be {} x {}, got {} x {}", n - m, n, D_.rows(), D_.cols()));
  Matrix both(n, n);
  both << G_, D_;
  const Vector sigma = singular_values(both);
  if (sigma[n - 1] <= singular * sigma[0])
    throw InputError("D and the constraints together are singular here; choose another D");
  const Matrix inverse = solve_linear(both, Matrix::Identity(n, n));
  E_ = inverse.leftCols(m);
  F_ = inverse.rightCols(n - m);
  inertia_ = F_.transpose() * M_ * F_;
}

Vector ReducedDynamics::acceleration(const Vector& wdot) const { return F_ * wdot - E_ * gamma_; }

Vector ReducedDynamics::pseudo_acceleration(const Vector& u) const {
  return solve_linear(inertia_, F_.transpose() * (B_ * u - bias_ + M_ * (E_ * gamma_)));
}

Vector ReducedDynamics::multipliers(const Vector& u) const {
  return E_.transpose() * (M_ * acceleration(pseudo_acceleration(u)) + bias_ - B_ * u);
}

Vector ReducedDynamics::torques(const Vector& wdot, const Vector& lambda) const {
  const AffineSolution u =
      solve_affine(B_, M_ * acceleration(wdot) + bias_ - G_.transpose() * lambda);
  if (u.residual > 1e-9)
    throw ProblemError("the drives cannot give this pseudo-acceleration with these multipliers");
  return u.least;
}

StaticTorques static_torques(const Robot& robot, const Vector& q) {
  require_rigid(robot, "static torques");
  const int n = robot.tree_nv(), m = robot.constraint_count();
  MechanicsData data(robot);
  joint_torques<double>(robot, data, q, Vector::Zero(n), Vector::Zero(n));
  const Matrix G = constraint_matrix(robot, q), B = input_matrix(robot);
  // F^T B u = F^T (h + k): the constraints take the rest
  const Matrix F = svd(G).V.rightCols(n - m);
  const AffineSolution u = solve_affine(F.transpose() * B, F.transpose() * data.tau);
  if (u.residual > 1e-9) throw ProblemError("the drives cannot hold the robot at rest here");
  const auto carried = [&](const Matrix& forces) -> Matrix {  // lambda with G^T lambda = forces
    return solve_linear(G * G.transpose(), G * forces);
  };
  StaticTorques result{u.least, u.null_space, Vector::Zero(m),
                       Matrix::Zero(m, u.null_space.cols())};
  if (m > 0) {
    result.lambda = carried(data.tau - B * u.least);
    result.lambda_null = carried(-B * u.null_space);
  }
  return result;
}

}  // namespace tauflex
