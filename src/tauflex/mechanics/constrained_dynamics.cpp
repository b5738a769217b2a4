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
      q_(Vector::Zero(robot.nq())),
      g_(Vector::Zero(m_)),
      momentum_(Vector::Zero(n_)),
      tau_(momentum_),
      right_(Vector::Zero(n_ + m_)),
      solved_(right_),
      load_(Vector::Ones(m_)),
      rights_(Matrix::Zero(n_ + m_, 2 * robot.nv())) {}

void ConstrainedDynamics::factorize(const VectorRef& q) {
  mass_matrix(robot_, data_, q);
  constraint_jacobian(robot_, data_, G_);
  kkt_.topLeftCorner(n_, n_) = data_.M;
  kkt_.topRightCorner(n_, m_) = G_.transpose();
  kkt_.bottomLeftCorner(m_, n_) = G_;
  kkt_solver_.compute(kkt_, n_);
}

void ConstrainedDynamics::accelerations(const VectorRef& q, const VectorRef& v, const VectorRef& u,
                                        double t, VectorOut vdot, VectorOut lambda) {
  accelerations(q, v, q, v, u, t, vdot, lambda);
}

void ConstrainedDynamics::accelerations(const VectorRef& q, const VectorRef& v,
                                        const VectorRef& q_drive, const VectorRef& v_drive,
                                        const VectorRef& u, double t, VectorOut vdot,
                                        VectorOut lambda) {
  forward_dynamics(robot_, data_, q, v, q_drive, v_drive, u, vdot);
  if (m_ == 0) return;
  tau_ = data_.tau;
  factorize(q);
  constraint_bias(robot_, data_, q, v, t, g_);
  right_.head(n_).setZero();
  right_.tail(m_) = -g_;
  right_.tail(m_).noalias() -= G_ * vdot.head(n_);
  kkt_solver_.solve(right_, solved_);
  lambda = -solved_.tail(m_);
  // The equations above lose digits where M is badly conditioned; articulated bodies do not. They
  // give vdot, and what G vdot + gamma then misses gives a second part of lambda.
  momentum_ = tau_;
  momentum_.noalias() += G_.transpose() * lambda;
  tree_accelerations(robot_, data_, q, v, momentum_, vdot.head(n_));
  right_.tail(m_) = -g_;
  right_.tail(m_).noalias() -= G_ * vdot.head(n_);
  kkt_solver_.solve(right_, solved_);
  lambda -= solved_.tail(m_);
  momentum_ = tau_;
  momentum_.noalias() += G_.transpose() * lambda;
  tree_accelerations(robot_, data_, q, v, momentum_, vdot.head(n_));
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
  kkt_.topRightCorner(n_, m_) = G_.transpose();
  kkt_.bottomLeftCorner(m_, n_) = G_;
  kkt_solver_.compute(kkt_, n_);
  rights_.topLeftCorner(n_, nv) = by_q.topRows(n_);
  rights_.topRightCorner(n_, nv) = by_v.topRows(n_);
  if (m_ > 0) {
    rights_.bottomRows(m_).setZero();
    constraint_rate_derivative(robot_, data_, vdot, G_rate_);
    rights_.block(n_, 0, m_, n_) = -G_rate_;
    constraint_rate_derivative(robot_, data_, v, G_rate_);
    rights_.block(n_, nv, m_, n_) = -2 * G_rate_;
  }
  rights_ = kkt_solver_.solve(rights_);
  by_q.topRows(n_) = rights_.topLeftCorner(n_, nv);
  by_v.topRows(n_) = rights_.topRightCorner(n_, nv);
  for (int k = nv - rotors; k < nv; ++k) {
    by_q.row(k) /= derivatives_.mass(k, k);
    by_v.row(k) /= derivatives_.mass(k, k);
  }
}

Projection ConstrainedDynamics::project(double t, VectorOut q, VectorOut v) {
  for (const Quaternion& at : robot_.coordinates().quaternions) q.segment<4>(at.q).normalize();
  if (m_ == 0) return {};
  Projection result;
  double last = std::numeric_limits<double>::infinity();
  right_.head(n_).setZero();
  for (int iteration = 0; iteration < 6; ++iteration) {
    factorize(q);
    constraint_values<double>(robot_, data_, q, t, g_);
    right_.tail(m_) = -g_;
    kkt_solver_.solve(right_, solved_);
    const double size = solved_.head(n_).cwiseAbs().maxCoeff();
    if (!std::isfinite(size)) break;
    result.noise = size;
    if (size >= last) break;  // rounding
    move(robot_, solved_.head(n_), q);
    last = size;
    if (size < 1e-15) break;
  }
  factorize(q);
  constraint_rates(robot_, t, g_);
  right_.tail(m_) = g_;
  right_.tail(m_).noalias() -= G_ * v.head(n_);
  kkt_solver_.solve(right_, solved_);
  if (solved_.allFinite()) {
    momentum_.noalias() = data_.M * solved_.head(n_);
    result.kinetic_change = momentum_.dot(v.head(n_) + 0.5 * solved_.head(n_));
    v.head(n_) += solved_.head(n_);
  }
  momentum_.noalias() = data_.M * v.head(n_);
  result.mass = data_.M.trace();
  result.kinetic = 0.5 * momentum_.dot(v.head(n_));
  constraint_values<double>(robot_, data_, q, t, g_);
  result.violation = g_.cwiseAbs().maxCoeff();
  return result;
}

// At the pose of the last factorize(). The constraint forces mu that accelerations `load_` of the
// rows ask for, S mu = load with S = G M^-1 G^T, grow as the inverse square of the distance from a
// position where G loses rank.
double ConstrainedDynamics::independence() {
  right_.head(n_).setZero();
  right_.tail(m_) = load_;
  kkt_solver_.solve(right_, solved_);
  const double force = solved_.tail(m_).norm();
  return std::isfinite(force) ? std::sqrt(load_.norm() / force) : 0;
}

RankForecast ConstrainedDynamics::rank_forecast(const VectorRef& q, const VectorRef& v,
                                                const VectorRef& vdot, double horizon,
                                                double usual) {
  RankForecast forecast;
  if (m_ == 0) return forecast;
  // the load under which the rows yield first, by inverse iteration
  if (independence() == 0) return {0, 0};
  load_ = solved_.tail(m_).normalized();
  const double now = forecast.independence = independence();
  const auto after = [&](double t) {
    q_ = q;
    move(robot_, t * v + t * t / 2 * vdot, q_);
    factorize(q_);
    return independence();
  };
  // Linear within 0.1 halfway; otherwise the horizon was too far.
  double soon = horizon / 64;
  for (int attempt = 0; attempt < 4; ++attempt, soon /= 16) {
    const double then = after(soon);
    if (!(then < now) && now > 0.1 * usual) break;
    if (!(then < now)) continue;
    const double ahead = soon * now / (now - then);
    if (ahead > horizon && now > 0.1 * usual) return {now, ahead};
    const double half = after(ahead / 2);
    if (std::abs(half - now / 2) < 0.1 * now) return {now, ahead / 2 * now / (now - half)};
  }
  return forecast;
}

double ConstrainedDynamics::usual_independence(const VectorRef& q) {
  constexpr int poses = 4;
  constexpr double golden = 0.6180339887498949;
  if (m_ == 0) return 0;
  kinematics<double>(robot_, data_, q);
  Vector turns = Vector::Zero(robot_.nv());
  for (int k = 0; k < n_; ++k)
    if (data_.axis[k].w.squaredNorm() > 0) turns[k] = 1;
  double sum = 0;
  for (int pose = 0; pose < poses; ++pose) {
    q_ = q;
    Vector step = turns;
    for (int k = 0; k < n_; ++k) step[k] *= std::fmod(golden * (n_ * pose + k + 1), 1.0) - 0.5;
    move(robot_, step, q_);
    factorize(q_);
    // the load under which the rows yield first, by inverse iteration
    for (int k = 0; k < 3 && independence() > 0; ++k) load_ = solved_.tail(m_).normalized();
    sum += independence();
  }
  return sum / poses;
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
