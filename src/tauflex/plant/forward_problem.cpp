#include "tauflex/plant/forward_problem.hpp"

#include <cmath>
#include <limits>

#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

ForwardProblem::ForwardProblem(const Robot& plant, TorqueSignal torque,
                               std::shared_ptr<Controller> controller, double sample)
    : plant_(plant),
      torque_(std::move(torque)),
      controller_(std::move(controller)),
      sample_(sample),
      dynamics_(plant),
      relative_(plant),
      B_(input_matrix(plant)),
      q_(Vector::Zero(plant.nq())),
      v_(Vector::Zero(plant.nv())),
      q_drive_(q_),
      v_drive_(v_),
      u_(Vector::Zero(B_.cols())),
      held_(u_),
      vdot_(Vector::Zero(plant.nv())),
      lambda_(Vector::Zero(plant.constraint_count())),
      rates_(lambda_),
      gradient_(vdot_),
      gain_q_(Matrix::Zero(B_.cols(), plant.nv())),
      gain_v_(gain_q_),
      input_q_(Matrix::Zero(plant.nv(), plant.nv())),
      input_v_(input_q_),
      by_q_(input_q_),
      by_v_(input_q_) {}

Vector ForwardProblem::state(const VectorRef& q, const VectorRef& v) const {
  Vector x = Vector::Zero(size());
  x << q, v, 0.0, 0.0;
  relative_.make_relative(x.head(plant_.nq()), x.segment(plant_.nq(), plant_.nv()));
  return x;
}

void ForwardProblem::motion(const VectorRef& x, VectorOut q, VectorOut v) const {
  q = x.head(plant_.nq());
  v = x.segment(plant_.nq(), plant_.nv());
  relative_.make_absolute(q, v);
}

void ForwardProblem::read(const VectorRef& x) {
  motion(x, q_, v_);
  q_drive_ = x.head(plant_.nq());
  v_drive_ = x.segment(plant_.nq(), plant_.nv());
  relative_.leave_stretch_only(q_drive_, v_drive_);
}

double ForwardProblem::next_corner(double t) const {
  if (sample_ > 0) return begin_ + static_cast<double>(samples_) * sample_;
  const Vector& corners = torque_.times();
  // Smooth tables have none; a table ends with its last value.
  if (torque_.is_smooth() || interval_ + 1 >= corners.size() - 1)
    return std::numeric_limits<double>::infinity();
  return std::max(corners[interval_ + 1], t);
}

void ForwardProblem::start(double t, const VectorRef& x) {
  begin_ = t;
  samples_ = 0;
  enter(t, x);
}

void ForwardProblem::enter(double t, const VectorRef& x) {
  if (sample_ > 0) {
    interval_ = torque_.interval(t + 1e-9 * sample_);
    read(x);
    command(t, held_);
    ++samples_;
  } else {
    interval_ = torque_.interval(t);
  }
}

// After read().
void ForwardProblem::command(double t, VectorOut u) {
  const int interval = torque_.is_smooth() ? torque_.interval(t) : interval_;
  torque_.value(t, interval, u);
  if (controller_) controller_->add_torques(t, q_, v_, u);
}

void ForwardProblem::torques(double t, const VectorRef& x, VectorOut u) {
  read(x);
  if (sample_ > 0)
    u = held_;
  else
    command(t, u);
}

void ForwardProblem::accelerations(double t, const VectorRef& x, VectorOut vdot, VectorOut lambda) {
  torques(t, x, u_);
  dynamics_.accelerations(q_, v_, q_drive_, v_drive_, u_, t, vdot, lambda);
}

void ForwardProblem::rate_on_constraints(double t, const VectorRef& x, VectorOut xdot) {
  if (plant_.constraint_count() == 0) return rate(t, x, xdot);
  x_ = x;
  project(t, x_);
  rate(t, x_, xdot);
}

void ForwardProblem::rate(double t, const VectorRef& x, VectorOut xdot) {
  const int nq = plant_.nq(), nv = plant_.nv();
  accelerations(t, x, vdot_, lambda_);
  position_rate<double>(plant_, q_, v_, xdot.head(nq));
  xdot.segment(nq, nv) = vdot_;
  relative_.make_rates_relative(x, xdot);
  constraint_rates(plant_, t, rates_);
  xdot[nq + nv] = motor_power(plant_, v_, u_) + lambda_.dot(rates_);
  xdot[nq + nv + 1] = dissipated_power(plant_, dynamics_.data(), v_);
}

void ForwardProblem::jacobian(double t, const VectorRef& x, MatrixOut J) {
  const int nq = plant_.nq(), nv = plant_.nv();
  accelerations(t, x, vdot_, lambda_);
  const Vector &q = q_, &v = v_;
  gain_q_.setZero();
  gain_v_.setZero();
  if (controller_ && sample_ == 0) controller_->add_gains(t, q, v, gain_q_, gain_v_);
  input_q_.noalias() = B_ * gain_q_;
  input_v_.noalias() = B_ * gain_v_;
  dynamics_.acceleration_derivatives(q, v, vdot_, lambda_, input_q_, input_v_, by_q_, by_v_);

  J.setZero();
  add_position_rate_derivatives(plant_, q, v, J.topLeftCorner(nq, nq), J.block(0, nq, nq, nv));
  by_coordinates(plant_, q, by_q_, J.block(nq, 0, nv, nq));
  J.block(nq, nq, nv, nv) = by_v_;
  // power of the motors, v^T B u; that of moving constraints is left out
  auto work = J.row(nq + nv);
  work.segment(nq, nv) = (B_ * u_).transpose() + v.transpose() * input_v_;
  by_coordinates(plant_, q, v.transpose() * input_q_, J.block(nq + nv, 0, 1, nq));
  gradient_.setZero();
  add_dissipated_power_gradient(plant_, dynamics_.data(), v, gradient_);
  J.row(nq + nv + 1).segment(nq, nv) = gradient_;
  relative_.make_relative(J);
}

// lambda^2 = lambda J_v + J_q is bounded by the norms of both.
double ForwardProblem::fastest_rate(double t, const VectorRef& x) {
  const int nq = plant_.nq(), nv = plant_.nv();
  Matrix J(size(), size());
  jacobian(t, x, J);
  const auto norm = [](const auto& A) { return A.cwiseAbs().rowwise().sum().maxCoeff(); };
  return norm(J.block(nq, nq, nv, nv)) + std::sqrt(norm(J.block(nq, 0, nv, nq)));
}

// |J^16|^(1/16), by squaring; work and losses follow from the motion.
double ForwardProblem::largest_rate(double t, const VectorRef& x) {
  const int n = plant_.nq() + plant_.nv();
  Matrix J(size(), size());
  jacobian(t, x, J);
  Matrix power = J.topLeftCorner(n, n), square(n, n);
  double log_size = 0, share = 1;
  for (int squared = 0; squared <= 4; ++squared, share /= 2) {
    if (squared > 0) {
      square.noalias() = power * power;
      power.swap(square);
    }
    const double size = power.cwiseAbs().rowwise().sum().maxCoeff();
    if (!(size > 0)) return size;
    power /= size;
    log_size += share * std::log(size);
  }
  return std::exp(log_size);
}

Projection ForwardProblem::project(double t, VectorOut x) {
  return dynamics_.project(t, x.head(plant_.nq()), x.segment(plant_.nq(), plant_.nv()));
}

RankForecast ForwardProblem::rank_forecast(double t, const VectorRef& x, double horizon,
                                           double usual) {
  accelerations(t, x, vdot_, lambda_);
  return dynamics_.rank_forecast(q_, v_, vdot_, horizon, usual);
}

}  // namespace tauflex
