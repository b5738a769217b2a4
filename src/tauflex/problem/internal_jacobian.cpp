#include "tauflex/problem/internal_jacobian.hpp"

#include "tauflex/math/lu.hpp"
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
      y_(dynamics.problem().output_count()),
      C1_(n_ - p_, n_),
      C2_(n_ - p_, n_),
      units_(n_, p_),
      T_(n_, p_),
      first_(n_ - p_, p_),
      V_(n_, p_),
      right_(n_ + ng_, 2 * p_),
      solved_(n_ + ng_, 2 * p_) {}

// d(tau - G^T lambda) by q and v.
void InternalJacobian::differentiate_torques(const InternalMotion& m) {
  joint_torque_derivatives(robot_, mechanics_, m.q, m.v, m.a);
  if (ng_ > 0)
    add_constraint_force_derivative(robot_, mechanics_, m.lambda, -1, mechanics_.dtau_dq);
}

void InternalJacobian::free_directions(const InternalMotion& m) {
  units_.setZero();
  units_.bottomRows(p_).setIdentity();
  m.positions.solve_columns(units_, T_);
}

// Of right_, at the free joints.
void InternalJacobian::solve_accelerations(const InternalMotion& m, MatrixOut J) {
  m.accelerations.solve_columns(right_, solved_);
  for (int k = 0; k < p_; ++k) J.row(k) = solved_.row(dynamics_.free_joints()[k]);
}

void InternalJacobian::approximate(const InternalMotion& m, MatrixOut J) {
  differentiate_torques(m);
  free_directions(m);
  right_.setZero();
  int row = n_ - p_;
  for (const int passive : dynamics_.problem().passive_rows()) {
    right_.row(row).head(p_).noalias() = -mechanics_.dtau_dq.row(passive) * T_;
    right_.row(row).tail(p_).noalias() = -mechanics_.dtau_dv.row(passive) * T_;
    ++row;
  }
  solve_accelerations(m, J);
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
  rows_.derivative(1, C1_);
  rows_.derivative(2, C2_);
  free_directions(m);
  first_.noalias() = C1_ * T_;
  units_.setZero();
  units_.topRows(rows) = -first_;
  m.positions.solve_columns(units_, V_);
  right_.setZero();
  right_.topLeftCorner(rows, p_).noalias() = -C2_ * T_;
  right_.topLeftCorner(rows, p_).noalias() -= 2 * C1_ * V_;
  right_.topRightCorner(rows, p_) = -2 * first_;
  int row = rows;
  for (const int passive : dynamics_.problem().passive_rows()) {
    const auto by_q = mechanics_.dtau_dq.row(passive);
    const auto by_v = mechanics_.dtau_dv.row(passive);
    right_.row(row).head(p_).noalias() = -by_q * T_;
    right_.row(row).head(p_).noalias() -= by_v * V_;
    right_.row(row).tail(p_).noalias() = -by_v * T_;
    ++row;
  }
  solve_accelerations(m, J);
}

Matrix first_order(const Matrix& J) {
  const auto p = J.rows();
  Matrix F = Matrix::Zero(2 * p, 2 * p);
  F.topRightCorner(p, p).setIdentity();
  F.bottomRows(p) = J;
  return F;
}

}  // namespace tauflex
