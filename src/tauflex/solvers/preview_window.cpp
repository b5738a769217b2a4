#include "tauflex/solvers/preview_window.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/analysis/dichotomy.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

namespace {

constexpr int most_iterations = 20;
// Matrices of one node in so many are renewed in a step.
constexpr int turns = 4;

// Rows of L become orthonormal by the method of Gram and Schmidt, twice; what stands beside them
// goes along.
void orthonormalize_rows(MatrixOut L, MatrixOut beside) {
  for (Eigen::Index i = 0; i < L.rows(); ++i) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index k = 0; k < i; ++k) {
        const double along = L.row(i).dot(L.row(k));
        L.row(i) -= along * L.row(k);
        beside.row(i) -= along * beside.row(k);
      }
    const double length = L.row(i).norm();
    L.row(i) /= length;
    beside.row(i) /= length;
  }
}

}  // namespace

PreviewWindow::PreviewWindow(InternalDynamics& dynamics, const RestState& start,
                             const PreviewShape& shape)
    : dynamics_(dynamics),
      start_(start),
      shape_(shape),
      p_(dynamics.freedom()),
      n_(2 * p_),
      motion_(dynamics.motion()),
      jacobian_(dynamics) {
  make_mesh();
  const double begin = dynamics_.problem().begin();
  const Dichotomy at_start = dichotomy(dynamics_, begin, start_, shape_.slow);
  const auto u = at_start.unstable.rows();
  const Eigen::Index points = 2 * intervals_ + 1;
  first_.y = at_start.y.replicate(1, intervals_ + 1);
  first_.F = Matrix::Zero(n_, points);
  first_.Q = start_.q.replicate(1, points);
  first_.V = Matrix::Zero(dynamics_.problem().robot().nv(), points);
  first_.E = svd(at_start.stable).V.rightCols(u);
  first_.L = at_start.unstable;
  first_.balance = at_start.y;
  first_.balance_q = start_.q;
  J_end_ = J0_ = at_start.J;
  for (Interval& interval : intervals_data_) {
    interval.J = at_start.J;
    interval.Gamma = Matrix::Zero(n_, n_);
    interval.g = Vector::Zero(n_);
    interval.L = Matrix::Zero(u, n_);
    interval.beta = Matrix::Zero(u, u + 1);
  }
  ends_.assign(static_cast<size_t>(shape_.ahead) + 1, first_.L);
  balances_.assign(ends_.size(), first_.balance);
  Jp_ = Matrix::Zero(p_, n_);
  Jm_ = A_ = B_ = work_ = Matrix::Zero(n_, n_);
  work_rows_ = first_.L;
  beta_end_ = Matrix::Zero(u, u + 1);
  small_ = Matrix::Zero(u, u);
  small_right_ = small_solved_ = Matrix::Zero(u, u + 1);
  first_.effect = Matrix::Zero(n_, u);
  r_ = y_ = dy_ = misses_ = Vector::Zero(n_);
  ds_ = Vector::Zero(p_);
  move_ = Vector::Zero(first_.V.rows());
  misses_ = Vector::Zero(u);
  reset();
}

// The first interval is a step. Those behind it are as long as what grows slowest allows, which is
// more and more ahead: what is missed there has faded by e^(-rate offset) when it gets here.
// Towards the end they get short again, so that what grows fast forgets within them what the end
// gets wrong.
void PreviewWindow::make_mesh() {
  constexpr double first_share = 0.2, order = 5;
  const double length = shape_.ahead * shape_.step;
  const double first =
      std::clamp(first_share / shape_.rate, shape_.step, std::max(shape_.step, length / 8));
  offsets_ = {0, shape_.step};
  while (offsets_.back() < length * (1 - 1e-9)) {
    const double offset = offsets_.back();
    double h = std::min(first * std::exp(shape_.rate * offset / order), length / 6);
    h = std::min(h, std::max(shape_.step, 0.5 * (length - offset)));
    if (offset + 1.5 * h > length) h = length - offset;
    offsets_.push_back(offset + h);
  }
  intervals_ = static_cast<int>(offsets_.size()) - 1;
  intervals_data_.resize(intervals_);
  for (int i = 0; i < intervals_; ++i) intervals_data_[i].h = offsets_[i + 1] - offsets_[i];
}

void PreviewWindow::reset() {
  known_ = next_ = first_;
  t_ = dynamics_.problem().begin();
  J_end_ = J0_;
  for (Interval& interval : intervals_data_) interval.J = J0_;
  for (int i = 0; i < intervals_; ++i) make_transition(i);
  for (size_t i = 0; i < ends_.size(); ++i) {
    ends_[i] = first_.L;
    balances_[i] = first_.balance;
  }
  count_ = 0;
  turn_ = 0;
  error_at_end_ = 0;
}

// next_ becomes the last window at times that are one step later, as a guess; at the first node it
// is what that window says.
void PreviewWindow::shift() {
  const double step = shape_.step;
  int j = 0;
  for (int i = 0; i <= intervals_; ++i) {
    const double at = offsets_[i] + step;
    while (j + 1 < intervals_ && offsets_[j + 1] <= at) ++j;
    const double h = intervals_data_[j].h, x = std::min((at - offsets_[j]) / h, 1.0);
    const auto left = known_.y.col(j), right = known_.y.col(j + 1);
    // Hermite's cubic polynomial
    next_.y.col(i) = left + x * x * (3 - 2 * x) * (right - left) +
                     h * x * (1 - x) * (1 - x) * known_.F.col(2 * j) -
                     h * x * x * (1 - x) * known_.F.col(2 * j + 2);
  }
  next_.y.col(0) = known_.y.col(1);
  next_.Q = known_.Q;
  for (Eigen::Index i = 0; i < next_.Q.cols(); ++i) {
    move_ = step * known_.V.col(i);
    move(dynamics_.problem().robot(), move_, next_.Q.col(i));
  }
  next_.L = known_.L;
  next_.E.noalias() = intervals_data_[0].Gamma * known_.E;
  // orthonormal columns
  for (Eigen::Index i = 0; i < next_.E.cols(); ++i) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index k = 0; k < i; ++k)
        next_.E.col(i) -= next_.E.col(i).dot(next_.E.col(k)) * next_.E.col(k);
    next_.E.col(i) /= next_.E.col(i).norm();
  }
}

bool PreviewWindow::evaluate(double t, Eigen::Index point, const VectorRef& y) {
  motion_.q = next_.Q.col(point);
  if (!y.allFinite() || !dynamics_.solve(t, y.head(p_), y.tail(p_), motion_)) return false;
  next_.Q.col(point) = motion_.q;
  next_.V.col(point) = motion_.v;
  next_.F.col(point).head(p_) = y.tail(p_);
  next_.F.col(point).tail(p_) = motion_.sddot;
  return true;
}

// The state in which nothing of what grows is excited where the window ends, as long as outputs go
// on as they do there: f(s, 0) = 0 under their velocity and acceleration, and s' from the window
// before. Without them, at rest, where there is no such state.
bool PreviewWindow::find_balance(double t) {
  if (!balance_joints(t, 1) && !balance_joints(t, 0)) return false;
  next_.balance.tail(p_) = (next_.balance.head(p_) - known_.balance.head(p_)) / shape_.step;
  J_end_.bottomRows(p_) = Jp_;
  work_ = J_end_;
  work_.diagonal().array() -= shape_.slow;
  sign_.compute(work_);
  work_rows_.noalias() = next_.L * sign_.value();
  next_.L += work_rows_;  // rows of L (1 + sign), which are of what grows
  orthonormalize_rows(next_.L, beta_end_);
  return next_.L.allFinite();
}

// Newton's method from the window before, with a matrix that is kept for some corrections.
bool PreviewWindow::balance_joints(double t, double pace) {
  constexpr int kept = 4;
  next_.balance = known_.balance;
  next_.balance.tail(p_).setZero();
  motion_.q = known_.balance_q;
  const auto correct = [&](const NewtonState& state) {
    if (!dynamics_.solve(t, next_.balance.head(p_), next_.balance.tail(p_), motion_, pace))
      return std::numeric_limits<double>::quiet_NaN();
    ds_ = motion_.sddot;
    if (state.iteration % kept == 0) {
      jacobian_.exact(motion_, Jp_);
      lu_.compute(Jp_.leftCols(p_));
    }
    lu_.solve(ds_, ds_);
    next_.balance.head(p_) -= ds_;
    return ds_.cwiseAbs().maxCoeff();
  };
  const NewtonCriteria criteria{
      .tolerance = 1e-11, .max_iterations = 24, .jacobian = NewtonJacobian::kept};
  if (!newton(criteria, correct).converged) return false;
  next_.balance_q = motion_.q;
  return true;
}

// dy_(i+1) = Gamma dy_i + g, from the Jacobians at both ends; halfway it is their mean.
//   y_m = (y_i + y_(i+1))/2 + h/8 (f_i - f_(i+1)),  y_(i+1) - y_i = h/6 (f_i + 4 f_m + f_(i+1))
void PreviewWindow::make_transition(int i) {
  Interval& interval = intervals_data_[i];
  const Matrix& left = interval.J;
  const Matrix& right = i + 1 < intervals_ ? intervals_data_[i + 1].J : J_end_;
  const double h = interval.h;
  Jm_ = 0.5 * (left + right);
  A_.setIdentity();
  A_ -= h / 6 * right + h / 3 * Jm_;
  A_.noalias() += h * h / 12 * Jm_ * right;
  B_.setIdentity();
  B_ += h / 6 * left + h / 3 * Jm_;
  B_.noalias() += h * h / 12 * Jm_ * left;
  interval.ahead.compute(A_);
  interval.ahead.solve_columns(B_, interval.Gamma);
}

// Node i is renewed when i % every == renewed.
bool PreviewWindow::evaluate_nodes(int renewed, int every) {
  for (int i = 0; i <= intervals_; ++i) {
    if (!evaluate(t_ + offsets_[i], 2 * i, next_.y.col(i))) return false;
    if (every > 0 && i < intervals_ && i % every == renewed)
      jacobian_.exact(motion_, intervals_data_[i].J.bottomRows(p_));
  }
  if (every > 0)
    for (int i = 0; i < intervals_; ++i)
      if (i % every == renewed || (i + 1) % every == renewed || i + 1 == intervals_)
        make_transition(i);
  return true;
}

bool PreviewWindow::find_residuals() {
  for (int i = 0; i < intervals_; ++i) {
    Interval& interval = intervals_data_[i];
    const double h = interval.h;
    const auto left = next_.F.col(2 * i), right = next_.F.col(2 * i + 2);
    y_ = 0.5 * (next_.y.col(i) + next_.y.col(i + 1)) + h / 8 * (left - right);
    if (!evaluate(t_ + offsets_[i] + 0.5 * h, 2 * i + 1, y_)) return false;
    r_ = next_.y.col(i) - next_.y.col(i + 1) + h / 6 * (left + 4 * next_.F.col(2 * i + 1) + right);
    interval.ahead.solve(r_, interval.g);
  }
  return true;
}

// L_i dy_i = beta_i: rows of what grows, from the end. Beside beta: what it is for units at the
// end.
void PreviewWindow::sweep_backwards() {
  const auto u = next_.L.rows();
  y_ = next_.balance - next_.y.col(intervals_);
  beta_end_.col(0).noalias() = next_.L * y_;
  beta_end_.rightCols(u).setIdentity();
  for (int i = intervals_ - 1; i >= 0; --i) {
    Interval& interval = intervals_data_[i];
    const Matrix& L = i + 1 < intervals_ ? intervals_data_[i + 1].L : next_.L;
    interval.beta = i + 1 < intervals_ ? intervals_data_[i + 1].beta : beta_end_;
    interval.beta.col(0).noalias() -= L * interval.g;
    interval.L.noalias() = L * interval.Gamma;
    orthonormalize_rows(interval.L, interval.beta);
  }
}

// What does not grow stays as it is now: dy_0 = E (L_0 E)^-1 beta_0. Returns the size of the
// corrections as it is felt now.
double PreviewWindow::sweep_forwards() {
  const Interval& first = intervals_data_[0];
  const auto u = next_.L.rows();
  small_.noalias() = first.L * next_.E;
  small_lu_.compute(small_);
  small_right_ = first.beta;
  small_lu_.solve_columns(small_right_, small_solved_);
  next_.effect.noalias() = next_.E * small_solved_.rightCols(u);
  dy_.noalias() = next_.E * small_solved_.col(0);
  const double position = 1 + next_.y.col(0).head(p_).cwiseAbs().maxCoeff(),
               rate = 1 + next_.y.bottomRows(p_).cwiseAbs().maxCoeff();
  double size = 0;
  for (int i = 0; i <= intervals_; ++i) {
    next_.y.col(i) += dy_;
    const double felt = std::exp(-shape_.rate * offsets_[i]);
    size = std::max(size, felt * std::max(dy_.head(p_).cwiseAbs().maxCoeff() / position,
                                          dy_.tail(p_).cwiseAbs().maxCoeff() / rate));
    if (i == intervals_) break;
    const Interval& interval = intervals_data_[i];
    y_ = interval.g;
    y_.noalias() += interval.Gamma * dy_;
    // rounding of what grows would grow
    const bool last = i + 1 == intervals_;
    const Matrix& L = last ? next_.L : intervals_data_[i + 1].L;
    misses_ = last ? beta_end_.col(0) : intervals_data_[i + 1].beta.col(0);
    misses_.noalias() -= L * y_;
    dy_ = y_;
    dy_.noalias() += L.transpose() * misses_;
  }
  return size;
}

void PreviewWindow::note_error_at_end() {
  const auto places = static_cast<long>(ends_.size());
  ++count_;
  const auto now = static_cast<size_t>(count_ % places);
  const auto end = static_cast<size_t>((count_ + shape_.ahead) % places);
  y_ = known_.y.col(0) - balances_[now];
  misses_.noalias() = ends_[now] * y_;
  error_at_end_ = misses_.norm();
  ends_[end] = known_.L;
  balances_[end] = known_.balance;
}

bool PreviewWindow::find(double t, long& iterations) {
  t_ = t;
  shift();
  if (!find_balance(t + offsets_.back())) return false;
  const int renewed = (turn_ + 1) % turns;
  const auto correct = [&](const NewtonState& state) {
    constexpr double failed = std::numeric_limits<double>::quiet_NaN();
    ++iterations;
    const bool slow = state.iteration > 1 && state.rate > 0.1;
    const int every = state.iteration == 0 ? turns : slow ? 1 : 0;
    if (!evaluate_nodes(state.iteration == 0 ? renewed : 0, every) || !find_residuals())
      return failed;
    sweep_backwards();
    return sweep_forwards();
  };
  const NewtonCriteria criteria{.tolerance = 1e-13,
                                .max_iterations = most_iterations,
                                .jacobian = NewtonJacobian::kept,
                                .rounding = 1e-9};
  return newton(criteria, correct).converged && next_.y.allFinite();
}

void PreviewWindow::accept() {
  std::swap(known_, next_);
  turn_ = (turn_ + 1) % turns;
  note_error_at_end();
}

}  // namespace tauflex
