#include "tauflex/elements/newmark.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/newton.hpp"

namespace tauflex {

Newmark::Newmark(SecondOrderSystem& system, const NewmarkFormula& formula)
    : system_(system), formula_(formula), n_(system.size()), m_(system.rows()) {
  v_ = a_ = v_new_ = a_new_ = step_ = Vector::Zero(n_);
  lambda_ = g_ = rate_ = acceleration_ = Vector::Zero(m_);
  right_ = solved_ = shift_ = Vector::Zero(n_ + m_);
}

// Shifts that are small beside the diagonal make the elimination possible; refinement removes them.
void Newmark::factorize(double mass, double stiffness, double damping) {
  constexpr double small = 1e-9;
  entries_.clear();
  system_.matrix(mass, stiffness, damping, entries_);
  shift_.setZero();
  for (const auto& entry : entries_)
    if (entry.row == entry.column) shift_[entry.row] += entry.value;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < n_; ++k) {
    largest = std::max(largest, shift_[k]);
    if (shift_[k] > 0) smallest = std::min(smallest, shift_[k]);
  }
  for (int k = 0; k < n_; ++k)
    shift_[k] = std::max(small * shift_[k], 1e-3 * small * std::min(smallest, largest));
  shift_.tail(m_).setConstant(-small / largest);
  solver_.compute(n_ + m_, entries_, shift_);
}

// Newton from step_ to M a + f = G^T lambda and g = 0 at its end, with a and v of that step.
bool Newmark::correct(double t, double mass, double stiffness, double damping) {
  const bool is_static = mass == 0;
  const NewtonCriteria criteria{.tolerance = formula_.tolerance,
                                .max_iterations = formula_.max_iterations,
                                .jacobian = NewtonJacobian::kept};
  const Vector v_known = v_new_, a_known = a_new_;  // what does not depend on the step
  const auto result = newton(criteria, [&](const NewtonState& state) {
    ++iterations_;
    system_.move_from_kept(step_);
    a_new_ = a_known + mass * step_;
    v_new_ = v_known + damping * step_;
    system_.constraints(t, v_new_, g_, rate_, acceleration_);
    system_.forces(t, v_new_, a_new_, right_.head(n_));
    system_.subtract_constraint_forces(lambda_, right_.head(n_));
    right_.tail(m_) = g_;
    // the matrix of the first iteration serves the others, unless they shrink slowly
    if (state.iteration == 0 || is_static || state.rate > 0.1)
      factorize(is_static ? 1e-9 : mass, stiffness, damping);
    solver_.solve(right_, solved_);
    step_ -= solved_.head(n_);
    lambda_ += solved_.tail(m_);
    return n_ == 0 ? 0.0
                   : solved_.head(n_).cwiseAbs().maxCoeff() / (1 + step_.cwiseAbs().maxCoeff());
  });
  system_.move_from_kept(step_);
  a_new_ = a_known + mass * step_;
  v_new_ = v_known + damping * step_;
  return result.converged;
}

// [M G^T; G 0] once for the velocities and once for the accelerations.
void Newmark::put_on_constraints(double t) {
  system_.constraints(t, v_, g_, rate_, acceleration_);
  factorize(1, 0, 0);
  if (m_ > 0) {
    // M dv = G^T mu, G (v + dv) = rate: G v is minus what G^T mu gives, so solve for v + dv itself
    entries_.clear();
    right_.setZero();
    system_.matrix(1, 0, 0, entries_);
    for (const auto& entry : entries_) {
      if (entry.row >= n_) continue;
      right_[entry.row] += entry.value * v_[entry.column];
      if (entry.row != entry.column) right_[entry.column] += entry.value * v_[entry.row];
    }
    right_.tail(m_) = rate_;
    solver_.solve(right_, solved_);
    v_ = solved_.head(n_);
    system_.constraints(t, v_, g_, rate_, acceleration_);
  }
  system_.forces(t, v_, Vector::Zero(n_), right_.head(n_));
  right_.head(n_) *= -1;
  right_.tail(m_) = acceleration_;
  solver_.solve(right_, solved_);
  a_ = solved_.head(n_);
  lambda_ = -solved_.tail(m_);
}

void Newmark::start(double t, const VectorRef& v) {
  t_ = t;
  v_ = v;
  put_on_constraints(t);
}

bool Newmark::settle(double t) {
  system_.keep_pose();
  step_.setZero();
  v_new_.setZero();
  a_new_.setZero();
  return correct(t, 0, 1, 0);
}

bool Newmark::step(double t) {
  const double h = t - t_, delta = formula_.delta, beta = formula_.beta;
  system_.keep_pose();
  // (11c), (11a): a' and v' where the step is zero
  a_new_ = -v_ / (beta * h) - (1 / (2 * beta) - 1) * a_;
  v_new_ = v_ + h * ((1 - delta) * a_ + delta * a_new_);
  step_ = h * v_ + h * h / 2 * a_;
  if (!correct(t, 1 / (beta * h * h), 1, delta / (beta * h))) return false;
  t_ = t;
  v_ = v_new_;
  a_ = a_new_;
  if (m_ > 0) put_on_constraints(t);
  return true;
}

}  // namespace tauflex
