#include "tauflex/elements/newmark.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/newton.hpp"

namespace tauflex {

namespace {

// Rows of the whole matrix: those of g follow the unknowns.
std::vector<int> rows_after(int unknowns, std::vector<int> rows) {
  for (int& row : rows) row += unknowns;
  return rows;
}

}  // namespace

Newmark::Newmark(SecondOrderSystem& system, const NewmarkFormula& formula)
    : system_(system),
      formula_(formula),
      n_(system.size()),
      m_(system.rows()),
      border_(n_ + m_, rows_after(n_, system.released_rows())) {
  c_ = c_rate_ = c_acceleration_ = Vector::Zero(border_.size());
  v_ = a_ = v_new_ = a_new_ = step_ = Vector::Zero(n_);
  lambda_ = g_ = rate_ = acceleration_ = Vector::Zero(m_);
  right_ = solved_ = shift_ = Vector::Zero(n_ + m_);
}

// Shifts that are small beside the diagonal make the elimination possible; refinement removes them.
// A row that is eliminated before its nodes leaves 1 / shift on them, beside which their masses
// must not drown: nodes without mass, as between the springs of a bearing, need larger shifts.
void Newmark::factorize(double mass, double stiffness, double damping) {
  constexpr double small = 1e-9, small_beside_massless = 1e-7, for_massless = 1e-4;
  entries_.clear();
  system_.matrix(mass, stiffness, damping, entries_);
  shift_.setZero();
  for (const auto& entry : entries_)
    if (entry.row == entry.column) shift_[entry.row] += entry.value;
  const double largest = n_ > 0 ? shift_.head(n_).maxCoeff() : 1;
  const bool massless = n_ > 0 && !(shift_.head(n_).minCoeff() > 0);
  for (int k = 0; k < n_; ++k)
    shift_[k] = shift_[k] > 0 ? small * shift_[k] : for_massless * largest;
  shift_.tail(m_).setConstant(-(massless ? small_beside_massless : small) / largest);
  solver_.compute(n_ + m_, entries_, shift_);
  if (border_.size() == 0) return;
  output_entries_.clear();
  system_.output_matrix(output_entries_);
  border_.compute(solver_, output_entries_);
}

void Newmark::solve(const VectorRef& outputs, int refinements) {
  border_.release(right_);
  solver_.solve(right_, solved_, refinements);
  border_.correct(outputs, solved_);
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
    system_.outputs(t, v_new_, c_, c_rate_, c_acceleration_);
    system_.forces(t, v_new_, a_new_, right_.head(n_));
    system_.subtract_constraint_forces(lambda_, right_.head(n_));
    right_.tail(m_) = g_;
    // the matrix of the first iteration serves the others, unless they shrink slowly
    if (state.iteration == 0 || is_static || state.rate > 0.1)
      factorize(is_static ? 1e-9 : mass, stiffness, damping);
    solve(c_, 1);  // what shifts leave is corrected by the next iteration
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
  system_.outputs(t, v_, c_, c_rate_, c_acceleration_);
  factorize(1, 0, 0);
  if (m_ > 0) {
    // M dv = G^T mu, G (v + dv) = rate: G v is minus what G^T mu gives, so solve for v + dv itself
    right_.setZero();
    for (const auto& entry : entries_) {
      if (entry.row >= n_) continue;
      right_[entry.row] += entry.value * v_[entry.column];
      if (entry.row != entry.column) right_[entry.column] += entry.value * v_[entry.row];
    }
    right_.tail(m_) = rate_;
    solve(c_rate_, SparseLdlt::to_rounding);
    v_ = solved_.head(n_);
    system_.constraints(t, v_, g_, rate_, acceleration_);
    system_.outputs(t, v_, c_, c_rate_, c_acceleration_);
  }
  system_.forces(t, v_, Vector::Zero(n_), right_.head(n_));
  right_.head(n_) *= -1;
  right_.tail(m_) = acceleration_;
  solve(c_acceleration_, SparseLdlt::to_rounding);
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
