#include "tauflex/solvers/drive_steps.hpp"

#include "tauflex/mechanics/joint_torques.hpp"

namespace tauflex {

namespace {

// Of the differences: one more than that of the motion, whose error stays the larger one; each
// order more lets more of its rounding through.
constexpr int stretch_order = 3;

}  // namespace

DriveSteps::DriveSteps(const Robot& robot, double h)
    : robot_(robot), h_(h), train_(robot), mechanics_(robot) {
  stretch_ = rate_ = acceleration_ = right_ = Vector::Zero(train_.size());
}

bool DriveSteps::find_stretch(int i) {
  train_.loads(mechanics_.tau, right_);
  if (i == 0) {
    const std::optional<Vector> at_rest = stretch_at_rest(train_, right_);
    if (!at_rest) return false;
    stretch_ = *at_rest;
    rate_.setZero();
    acceleration_.setZero();
    d_.emplace(stretch_order, h_, stretch_);
    d_rate_.emplace(stretch_order, h_, rate_);
    springs_.emplace(train_, train_.stiffness() + d_->lead() * train_.damping());
    return stretch_.allFinite();
  }
  d_->past(rate_);
  right_.noalias() -= train_.damping() * rate_;
  if (!springs_->solve(right_, stretch_)) return false;
  rate_ += d_->lead() * stretch_;
  d_rate_->past(acceleration_);
  acceleration_ += d_rate_->lead() * rate_;
  d_->push(stretch_);
  d_rate_->push(rate_);
  return true;
}

bool DriveSteps::take(int i, Instant& now) {
  if (train_.size() > 0) {
    if (!find_stretch(i)) return false;
    train_.set_rotor_positions(stretch_, now.q);
    train_.set_rotor_rates(rate_, now.v);
    train_.set_rotor_rates(acceleration_, now.vdot);
    train_.loads(mechanics_.tau, mechanics_.spring_torque);
  }
  motor_torques<double>(robot_, mechanics_, now.v, now.vdot, now.u);
  return now.u.allFinite();
}

}  // namespace tauflex
