#include "tauflex/problem/least_torque.hpp"

namespace tauflex {

LeastTorque::LeastTorque(const InverseProblem& problem) : problem_(problem) {
  const auto n = problem.robot().constraint_count() + std::ssize(problem.passive_rows()) +
                 std::ssize(problem.force_outputs());
  kkt_ = Matrix::Zero(n, n);
  right_ = solved_ = Vector::Zero(n);
}

void LeastTorque::solve(const VectorRef& tau, const MatrixRef& G, const VectorRef& wanted,
                        VectorOut lambda) {
  const auto m = G.rows();
  if (m == 0) return;
  kkt_.setZero();
  right_.setZero();
  double scale = 0;  // of G_d W G_d^T, to keep the matrix balanced
  for (const DriveLayout& drive : problem_.robot().actuation().drives) {
    const double weight = 1 / (drive.gear_ratio * drive.gear_ratio);
    const auto column = G.col(drive.joint_v);
    kkt_.topLeftCorner(m, m).noalias() += weight * column * column.transpose();
    right_.head(m) += weight * tau[drive.joint_v] * column;
    scale = std::max(scale, weight);
  }
  if (scale > 0) {
    kkt_.topLeftCorner(m, m) /= scale;
    right_.head(m) /= scale;
  }
  auto row = m;
  for (const int p : problem_.passive_rows()) {
    kkt_.block(row, 0, 1, m) = G.col(p).transpose();
    kkt_.block(0, row, m, 1) = G.col(p);
    right_[row++] = tau[p];
  }
  for (const auto [output, k] : problem_.force_outputs()) {
    kkt_(row, k) = kkt_(k, row) = 1;
    right_[row++] = wanted[output];
  }
  lu_.compute(kkt_);
  lu_.solve(right_, solved_);
  lambda = solved_.head(m);
}

}  // namespace tauflex
