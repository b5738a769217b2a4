#include "tauflex/problem/least_torque.hpp"

namespace tauflex {

LeastTorque::LeastTorque(const InverseProblem& problem) : problem_(problem) {
  const auto n = problem.robot().constraint_count() + std::ssize(problem.passive_rows()) +
                 std::ssize(problem.force_outputs());
  kkt_ = Matrix::Zero(n, n);
  right_ = solved_ = Vector::Zero(n);
  const auto& drives = problem.robot().actuation().drives;
  weights_.resize(std::ssize(drives));
  for (Eigen::Index d = 0; d < weights_.size(); ++d)
    weights_[d] = 1 / (drives[d].gear_ratio * drives[d].gear_ratio);
  if (weights_.size() > 0) weights_ /= weights_.maxCoeff();
}

void LeastTorque::solve(const VectorRef& tau, const MatrixRef& G, const VectorRef& wanted,
                        VectorOut lambda) {
  const auto m = G.rows();
  if (m == 0) return;
  kkt_.setZero();
  const auto& drives = problem_.robot().actuation().drives;
  for (Eigen::Index d = 0; d < weights_.size(); ++d) {
    const auto column = G.col(drives[d].joint_v);
    kkt_.topLeftCorner(m, m).noalias() += weights_[d] * column * column.transpose();
  }
  auto row = m;
  for (const int p : problem_.passive_rows()) {
    kkt_.block(row, 0, 1, m) = G.col(p).transpose();
    kkt_.block(0, row++, m, 1) = G.col(p);
  }
  for (const auto [output, k] : problem_.force_outputs()) {
    kkt_(row, k) = kkt_(k, row) = 1;
    ++row;
  }
  lu_.compute(kkt_);
  right_.head(m).setZero();
  solve_coefficient(tau, G, wanted, right_.head(m), lambda);
}

void LeastTorque::solve_coefficient(const VectorRef& tau, const MatrixRef& G,
                                    const VectorRef& wanted, const VectorRef& known,
                                    VectorOut lambda) {
  const auto m = G.rows();
  if (m == 0) return;
  right_.head(m) = known;
  const auto& drives = problem_.robot().actuation().drives;
  for (Eigen::Index d = 0; d < weights_.size(); ++d)
    right_.head(m) += weights_[d] * tau[drives[d].joint_v] * G.col(drives[d].joint_v);
  auto row = m;
  for (const int p : problem_.passive_rows()) right_[row++] = tau[p];
  for (const auto [output, k] : problem_.force_outputs()) right_[row++] = wanted[output];
  lu_.solve(right_, solved_);
  lambda = solved_.head(m);
}

void LeastTorque::weighted(const VectorRef& load, VectorOut x) const {
  x.setZero();
  const auto& drives = problem_.robot().actuation().drives;
  for (Eigen::Index d = 0; d < weights_.size(); ++d)
    x[drives[d].joint_v] += weights_[d] * load[drives[d].joint_v];
  auto row = problem_.robot().constraint_count();
  for (const int p : problem_.passive_rows()) x[p] = -solved_[row++];
}

}  // namespace tauflex
