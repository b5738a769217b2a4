#include "tauflex/problem/forward_problem.hpp"

#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

// Where a drive's motor is measured: coordinate, velocity and motor turns per turn of it.
struct Encoder {
  int q, v;
  double ratio;
};
Encoder encoder(const DriveLayout& drive) {
  return {drive.rotor_q >= 0 ? drive.rotor_q : drive.joint_q, drive.row(), drive.lever()};
}

}  // namespace

ForwardProblem::ForwardProblem(const Robot& plant, TorqueSignal torque,
                               std::optional<RotorFeedback> feedback)
    : plant_(plant),
      torque_(std::move(torque)),
      feedback_(std::move(feedback)),
      mechanics_(plant),
      derivatives_(plant),
      B_(input_matrix(plant)),
      u_(Vector::Zero(B_.cols())),
      vdot_(Vector::Zero(plant.nv())),
      gradient_(Vector::Zero(plant.nv())),
      angle_ref_(u_),
      rate_ref_(u_),
      mass_(plant.nv()) {}

Vector ForwardProblem::state(const VectorRef& q, const VectorRef& v) const {
  Vector x = Vector::Zero(size());
  x << q, v, 0.0, 0.0;
  return x;
}

void ForwardProblem::reference(double t) {
  const RotorFeedback& f = *feedback_;
  const auto n = f.t.size();
  const auto after = std::upper_bound(f.t.begin(), f.t.end(), t) - f.t.begin();
  const auto i = std::clamp<Eigen::Index>(after - 1, 0, n - 2);
  const double h = f.t[i + 1] - f.t[i], s = std::clamp((t - f.t[i]) / h, 0.0, 1.0);
  const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s);
  const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
  const double d = 6 * s * (s - 1) / h;
  angle_ref_ = h00 * f.angle.col(i) + h01 * f.angle.col(i + 1) +
               h * (h10 * f.rate.col(i) + h11 * f.rate.col(i + 1));
  rate_ref_ = d * (f.angle.col(i) - f.angle.col(i + 1)) + (1 - s) * (1 - 3 * s) * f.rate.col(i) +
              s * (3 * s - 2) * f.rate.col(i + 1);
}

void ForwardProblem::torques(double t, const VectorRef& x, VectorOut u) {
  torque_.value(t, interval_at(t), u);
  if (!feedback_) return;
  reference(t);
  for (size_t d = 0; d < plant_.drives().size(); ++d) {
    const Encoder e = encoder(plant_.drives()[d]);
    const auto k = static_cast<Eigen::Index>(d);
    u[k] += feedback_->kp[k] * (angle_ref_[k] - e.ratio * x[e.q]) +
            feedback_->kd[k] * (rate_ref_[k] - e.ratio * x[plant_.nq() + e.v]);
  }
}

void ForwardProblem::rate(double t, const VectorRef& x, VectorOut xdot) {
  const int nq = plant_.nq(), nv = plant_.nv();
  const auto q = x.head(nq), v = x.segment(nq, nv);
  torques(t, x, u_);
  position_rate<double>(plant_, q, v, xdot.head(nq));
  forward_dynamics<double>(plant_, mechanics_, q, v, u_, xdot.segment(nq, nv));
  xdot[nq + nv] = motor_power(plant_, v, u_);
  xdot[nq + nv + 1] = dissipated_power(plant_, v);
}

// From r(q, v, vdot) = B u(q, v): M dvdot = (B u_q - r_q) dq + (B u_v - r_v) dv.
void ForwardProblem::jacobian(double t, const VectorRef& x, MatrixOut J) {
  const int nq = plant_.nq(), nv = plant_.nv();
  const auto q = x.head(nq), v = x.segment(nq, nv);
  torques(t, x, u_);
  forward_dynamics<double>(plant_, mechanics_, q, v, u_, vdot_);
  motion_derivatives(plant_, mechanics_, q, v, vdot_, derivatives_);
  J.setZero();
  J.block(0, nq, nq, nv).setIdentity();  // N = 1: every joint has one direction
  auto J_q = J.block(nq, 0, nv, nq);
  auto J_v = J.block(nq, nq, nv, nv);
  auto work = J.row(nq + nv);
  J_q = -derivatives_.stiffness;
  J_v = -derivatives_.damping;
  for (size_t d = 0; d < plant_.drives().size(); ++d) {
    const Encoder e = encoder(plant_.drives()[d]);
    const auto k = static_cast<Eigen::Index>(d);
    work[nq + e.v] += e.ratio * u_[k];
    if (!feedback_) continue;
    const double u_q = -feedback_->kp[k] * e.ratio, u_v = -feedback_->kd[k] * e.ratio;
    J_q(e.v, e.q) += e.ratio * u_q;
    J_v(e.v, e.v) += e.ratio * u_v;
    work[e.q] += e.ratio * v[e.v] * u_q;
    work[nq + e.v] += e.ratio * v[e.v] * u_v;
  }
  mass_.compute(derivatives_.mass);
  mass_.solveInPlace(J_q);
  mass_.solveInPlace(J_v);
  gradient_.setZero();
  add_dissipated_power_gradient(plant_, v, gradient_);
  J.row(nq + nv + 1).segment(nq, nv) = gradient_;
}

}  // namespace tauflex
