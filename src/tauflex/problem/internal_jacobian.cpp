#include "tauflex/problem/internal_jacobian.hpp"

#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"

namespace tauflex {

InternalJacobian::InternalJacobian(const InternalDynamics& dynamics)
    : dynamics_(dynamics),
      robot_(dynamics.problem().robot()),
      n_(robot_.tree_nv()),
      ng_(robot_.constraint_count()),
      p_(dynamics.freedom()),
      mechanics_(robot_),
      rows_(dynamics.problem()),
      q_(robot_.nq()),
      y_(dynamics.problem().output_count()) {}

// d(tau - G^T lambda) by q and v.
void InternalJacobian::differentiate_torques(const InternalMotion& m) {
  joint_torque_derivatives(robot_, mechanics_, m.q, m.v, m.a);
  if (ng_ > 0)
    add_constraint_force_derivative(robot_, mechanics_, m.lambda, -1, mechanics_.dtau_dq);
}

// Directions that outputs and constraints leave free: P T = (0, 1).
Matrix InternalJacobian::free_directions(const InternalMotion& m) const {
  Matrix T = Matrix::Zero(n_, p_);
  T.bottomRows(p_).setIdentity();
  return m.positions.solve(T);
}

void InternalJacobian::approximate(const InternalMotion& m, MatrixOut J) {
  differentiate_torques(m);
  const Matrix T = free_directions(m);
  Matrix right = Matrix::Zero(n_ + ng_, 2 * p_);
  int row = n_ - p_;
  for (const int passive : dynamics_.problem().passive_rows()) {
    right.row(row).head(p_) = -mechanics_.dtau_dq.row(passive) * T;
    right.row(row).tail(p_) = -mechanics_.dtau_dv.row(passive) * T;
    ++row;
  }
  right = m.accelerations.solve(right);
  for (int k = 0; k < p_; ++k) J.row(k) = right.row(dynamics_.free_joints()[k]);
}

void InternalJacobian::exact(const InternalMotion& m, MatrixOut J) {
  differentiate_torques(m);
  const int rows = n_ - p_;
  for (int i = 0; i < n_; ++i) {
    q_[i][0] = m.q[i];
    q_[i][1] = m.v[i];
    q_[i][2] = m.a[i] / 2;
  }
  for (Eigen::Index i = 0; i < y_.size(); ++i)
    for (int k = 0; k <= 2; ++k) y_[i][k] = k == 2 ? m.y(i, k) / 2 : m.y(i, k);
  rows_.evaluate(q_, y_);
  const Matrix C1 = rows_.derivative(1), C2 = rows_.derivative(2);
  const Matrix T = free_directions(m), first = C1 * T;
  Matrix V = Matrix::Zero(n_, p_);
  V.topRows(rows) = -first;
  V = m.positions.solve(V);
  Matrix right = Matrix::Zero(n_ + ng_, 2 * p_);
  right.topLeftCorner(rows, p_) = -C2 * T - 2 * C1 * V;
  right.topRightCorner(rows, p_) = -2 * first;
  int row = rows;
  for (const int passive : dynamics_.problem().passive_rows()) {
    const auto by_q = mechanics_.dtau_dq.row(passive);
    const auto by_v = mechanics_.dtau_dv.row(passive);
    right.row(row).head(p_) = -by_q * T - by_v * V;
    right.row(row).tail(p_) = -by_v * T;
    ++row;
  }
  right = m.accelerations.solve(right);
  for (int k = 0; k < p_; ++k) J.row(k) = right.row(dynamics_.free_joints()[k]);
}

Matrix first_order(const Matrix& J) {
  const auto p = J.rows();
  Matrix F = Matrix::Zero(2 * p, 2 * p);
  F.topRightCorner(p, p).setIdentity();
  F.bottomRows(p) = J;
  return F;
}

}  // namespace tauflex
