#include "tauflex/problem/internal_jacobian.hpp"

#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/position_series.hpp"
#include "tauflex/model/robot_kind.hpp"

namespace tauflex {

InternalJacobian::InternalJacobian(InternalDynamics& dynamics)
    : dynamics_(dynamics),
      robot_(dynamics.problem().robot()),
      n_(robot_.tree_nv()),
      nq_(robot_.tree_nq()),
      ng_(robot_.constraint_count()),
      p_(dynamics.freedom()),
      has_orientations_(has_orientations(robot_)),
      mechanics_(robot_),
      rows_(dynamics.problem()),
      q_(robot_.nq()),
      y_(dynamics.problem().output_count()),
      C_(n_ - p_, n_),
      C1_(n_ - p_, n_),
      C2_(n_ - p_, n_),
      units_(n_, p_),
      T_(n_, p_),
      first_(n_ - p_, p_),
      V_(n_, p_),
      right_(n_ + ng_, 2 * p_),
      solved_(n_ + ng_, 2 * p_),
      Q_(nq_, 3),
      U_(n_, 2),
      turned_(n_, p_),
      turned2_(n_, p_),
      work_(n_, p_),
      E_(p_, n_),
      E1_T_(Matrix::Zero(p_, p_)),
      E1_V_(Matrix::Zero(p_, p_)),
      E2_T_(Matrix::Zero(p_, p_)),
      change_(nq_) {}

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

// E times what right_ makes of v'.
void InternalJacobian::solve_accelerations(const InternalMotion& m, MatrixOut J) {
  m.accelerations.solve_columns(right_, solved_);
  if (dynamics_.turns()) {
    dynamics_.rate_rows(m, m.q, E_);
    J.noalias() = E_ * solved_.topRows(n_);
  } else {
    for (int k = 0; k < p_; ++k) J.row(k) = solved_.row(dynamics_.free_joints()[k]);
  }
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

// Series of q and of the path, for the rates of C.
void InternalJacobian::take_motion(const InternalMotion& m) {
  Q_.col(0) = m.q.head(nq_);
  U_.col(0) = m.v.head(n_);
  U_.col(1) = m.a.head(n_);
  for (const int k : {0, 1}) next_position_coefficient(robot_, k, U_, Q_);
  for (int i = 0; i < nq_; ++i)
    for (int k = 0; k <= 2; ++k) q_[i][k] = Q_(i, k);
  for (Eigen::Index i = 0; i < y_.size(); ++i)
    for (int k = 0; k <= 2; ++k) y_[i][k] = k == 2 ? m.y(i, k) / 2 : m.y(i, k);
}

// Columns: changes of s, then of s'. P V = -(C' T, E' T); W dv' = right_
//   C dv' = -C'' T - 2 C' V          | -2 C' T
//   rows of joints without a drive   | -(tau by q) T - (tau by v) V | -(tau by v) T
void InternalJacobian::exact(const InternalMotion& m, MatrixOut J) {
  differentiate_torques(m);
  const int rows = n_ - p_;
  take_motion(m);
  rows_.evaluate(q_, y_);
  rows_.derivative(1, C1_);
  rows_.derivative(2, C2_);
  free_directions(m);
  first_.noalias() = C1_ * T_;
  units_.topRows(rows) = -first_;
  if (dynamics_.turns()) {  // E' T, E'' T
    for (int k = 0; k < p_; ++k) {
      position_rate_change(robot_, Q_.col(1), T_.col(k), change_);
      E1_T_.col(k).noalias() = m.chart * change_;
      position_rate_change(robot_, Q_.col(2), T_.col(k), change_);
      E2_T_.col(k).noalias() = 2 * m.chart * change_;
    }
    units_.bottomRows(p_) = -E1_T_;
  } else {
    units_.bottomRows(p_).setZero();
  }
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
  if (has_orientations_) turn_right_side(m);
  solve_accelerations(m, J);
  if (dynamics_.turns()) turn_result(m, J);
}

// V is eta' and not dv: what is missing. turned_ = T x v, turned2_ = V x v + T x v'
//   C dv' gains C turned2_ | C turned_,    the rows of joints -(tau by v) turned_ | 0
void InternalJacobian::turn_right_side(const InternalMotion& m) {
  turned_steps(robot_, T_, m.v.head(n_), turned_);
  turned_steps(robot_, V_, m.v.head(n_), turned2_);
  turned_steps(robot_, T_, m.a.head(n_), work_);
  turned2_ += work_;
  const int rows = n_ - p_;
  rows_.derivative(0, C_);
  right_.topLeftCorner(rows, p_).noalias() += C_ * turned2_;
  right_.topRightCorner(rows, p_).noalias() += C_ * turned_;
  int row = rows;
  for (const int passive : dynamics_.problem().passive_rows())
    right_.row(row++).head(p_).noalias() -= mechanics_.dtau_dv.row(passive) * turned_;
}

// J is E dv'. d(s'') = E eta'' + 2 E' eta' + E'' eta, eta'' = dv' - turned2_ | dv' - turned_
void InternalJacobian::turn_result(const InternalMotion& m, MatrixOut J) {
  for (int k = 0; k < p_; ++k) {
    position_rate_change(robot_, Q_.col(1), V_.col(k), change_);
    E1_V_.col(k).noalias() = m.chart * change_;
  }
  J.leftCols(p_).noalias() -= E_ * turned2_;
  J.leftCols(p_) += 2 * E1_V_ + E2_T_;
  J.rightCols(p_).noalias() -= E_ * turned_;
  J.rightCols(p_) += 2 * E1_T_;
}

Matrix first_order(const Matrix& J) {
  const auto p = J.rows();
  Matrix F = Matrix::Zero(2 * p, 2 * p);
  F.topRightCorner(p, p).setIdentity();
  F.bottomRows(p) = J;
  return F;
}

}  // namespace tauflex
