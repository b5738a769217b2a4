#include "tauflex/mechanics/constrained_dynamics.hpp"

#include <cmath>

#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {

ConstrainedDynamics::ConstrainedDynamics(const Robot& robot)
    : robot_(robot),
      n_(robot.tree_nv()),
      m_(robot.constraint_count()),
      data_(robot),
      derivatives_(robot),
      G_(Matrix::Zero(m_, n_)),
      G_rate_(G_),
      kkt_(Matrix::Zero(n_ + m_, n_ + m_)),
      g_(Vector::Zero(m_)),
      right_(Vector::Zero(n_ + m_)),
      solved_(right_),
      rights_(Matrix::Zero(n_ + m_, 2 * robot.nv())) {}

void ConstrainedDynamics::factorize(const VectorRef& q) {
  mass_matrix(robot_, data_, q);
  constraint_jacobian(robot_, data_, G_);
  kkt_.topLeftCorner(n_, n_) = data_.M;
  kkt_.topRightCorner(n_, m_) = -G_.transpose();
  kkt_.bottomLeftCorner(m_, n_) = G_;
  lu_.compute(kkt_);
}

void ConstrainedDynamics::accelerations(const VectorRef& q, const VectorRef& v, const VectorRef& u,
                                        double t, VectorOut vdot, VectorOut lambda) {
  forward_dynamics(robot_, data_, q, v, u, vdot);
  if (m_ == 0) return;
  factorize(q);
  constraint_bias(robot_, data_, q, v, t, g_);
  right_.head(n_).setZero();
  right_.tail(m_) = -g_;
  right_.tail(m_).noalias() -= G_ * vdot.head(n_);
  lu_.solve(right_, solved_);
  vdot.head(n_) += solved_.head(n_);
  lambda = solved_.tail(m_);
}

// From r(q, v, vdot) - B u - G^T lambda = 0 and G vdot + gamma = 0.
void ConstrainedDynamics::acceleration_derivatives(const VectorRef& q, const VectorRef& v,
                                                   const VectorRef& vdot, const VectorRef& lambda,
                                                   const MatrixRef& input_q,
                                                   const MatrixRef& input_v, MatrixOut by_q,
                                                   MatrixOut by_v) {
  const int nv = robot_.nv(), rotors = robot_.rotors();
  motion_derivatives(robot_, data_, q, v, vdot, derivatives_);
  by_q = input_q - derivatives_.stiffness;
  by_v = input_v - derivatives_.damping;
  add_constraint_force_derivative(robot_, data_, lambda, 1, by_q.topLeftCorner(n_, n_));
  constraint_jacobian(robot_, data_, G_);
  kkt_.topLeftCorner(n_, n_) = derivatives_.mass.topLeftCorner(n_, n_);
  kkt_.topRightCorner(n_, m_) = -G_.transpose();
  kkt_.bottomLeftCorner(m_, n_) = G_;
  lu_.compute(kkt_);
  rights_.topLeftCorner(n_, nv) = by_q.topRows(n_);
  rights_.topRightCorner(n_, nv) = by_v.topRows(n_);
  if (m_ > 0) {
    rights_.bottomRows(m_).setZero();
    constraint_rate_derivative(robot_, data_, vdot, G_rate_);
    rights_.block(n_, 0, m_, n_) = -G_rate_;
    constraint_rate_derivative(robot_, data_, v, G_rate_);
    rights_.block(n_, nv, m_, n_) = -2 * G_rate_;
  }
  rights_ = lu_.solve(rights_);
  by_q.topRows(n_) = rights_.topLeftCorner(n_, nv);
  by_v.topRows(n_) = rights_.topRightCorner(n_, nv);
  for (int k = nv - rotors; k < nv; ++k) {
    by_q.row(k) /= derivatives_.mass(k, k);
    by_v.row(k) /= derivatives_.mass(k, k);
  }
}

double ConstrainedDynamics::project(double t, VectorOut q, VectorOut v) {
  for (const Quaternion& at : robot_.coordinates().quaternions) q.segment<4>(at.q).normalize();
  if (m_ == 0) return 0;
  double last = std::numeric_limits<double>::infinity();
  right_.head(n_).setZero();
  for (int iteration = 0; iteration < 6; ++iteration) {
    factorize(q);
    constraint_values<double>(robot_, data_, q, t, g_);
    right_.tail(m_) = -g_;
    lu_.solve(right_, solved_);
    const double step = solved_.head(n_).cwiseAbs().maxCoeff();
    if (!std::isfinite(step)) break;
    if (step >= last) break;  // rounding
    move(robot_, solved_.head(n_), q);
    last = step;
    if (step < 1e-15) break;
  }
  factorize(q);
  constraint_rates(robot_, t, g_);
  right_.tail(m_) = g_;
  right_.tail(m_).noalias() -= G_ * v.head(n_);
  lu_.solve(right_, solved_);
  if (solved_.allFinite()) v.head(n_) += solved_.head(n_);
  constraint_values<double>(robot_, data_, q, t, g_);
  return g_.cwiseAbs().maxCoeff();
}

ConstrainedDynamics::Violation ConstrainedDynamics::violation(const VectorRef& q,
                                                              const VectorRef& v, double t) {
  if (m_ == 0) return {0, 0};
  kinematics<double>(robot_, data_, q);
  constraint_values<double>(robot_, data_, q, t, g_);
  Violation violation{g_.cwiseAbs().maxCoeff(), 0};
  constraint_jacobian(robot_, data_, G_);
  constraint_rates(robot_, t, g_);
  violation.velocity = (G_ * v.head(n_) - g_).cwiseAbs().maxCoeff();
  return violation;
}

}  // namespace tauflex
