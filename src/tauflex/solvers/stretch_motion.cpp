#include "tauflex/solvers/stretch_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

namespace {

// Derivatives of z at the ends of a part, from 0 on.
constexpr int known = 5;
// Length of a part in lags: derivatives at its ends carry that power of rounding.
constexpr double stiffest = 8;
constexpr int most_parts = 4096;
// In a whole run; a minute.
constexpr double most_wanted = 1e7;
// Modes follow the load when a step is that many lags long: integrated they would divide rounding
// by the square of the lag, following they multiply derivatives of the load by powers of it.
constexpr double lags_per_step = 24;
// Derivatives of the load that are known exactly, from 0 on, and corrections for the lag by
// derivatives of its polynomial.
constexpr int exact_orders = 3, corrections = 6, all_orders = exact_orders + corrections;

}  // namespace

StretchMotion::StretchMotion(const DriveTrain& drives, double tolerance)
    : drives_(drives), series_(drives), modes_(series_.modes()), tolerance_(tolerance) {}

bool StretchMotion::is_endless() const { return !(wanted_ <= most_wanted); }

bool StretchMotion::has_memory() const { return modes_.size() > 0 && modes_.lag.maxCoeff() > 0; }

void StretchMotion::clear() {
  steps_.clear();
  sizes_ = rounding_ = jumps_ = Vector::Zero(modes_.size());
  parts_ = 1;
  wanted_ = 0;
  form_part_ = -1;
}

// From the load itself: any other stretch, however close, is a jump that the lag divides.
bool StretchMotion::begin_at_rest(const NewtonForm& load) {
  known_load_.resize(load.size(), 1);
  load.series(0, known_load_);
  state_.following = static_cast<int>(modes_.size());
  state_.z = Vector::Zero(modes_.size());
  state_.more_load.resize(load.size(), 0);
  if (!series_.compute(known_load_, state_)) return false;
  z_ = series_.z().col(0);
  sizes_ = z_.cwiseAbs();
  return true;
}

bool StretchMotion::append(double h, NewtonForm load, bool at_corner) {
  if (steps_.empty() && !begin_at_rest(load)) return false;
  steps_.push_back({h, std::move(load), 0, {}, {}, {}, {}});
  Step& step = steps_.back();
  const int following = step.following = modes_that_follow(step);
  if (!begin_transients(steps_.size() > 1 ? &steps_[steps_.size() - 2] : nullptr, at_corner, step))
    return false;
  step.ends = z_;
  if (following < modes_.size() && !integrate_until_accurate(step)) return false;
  if (!note_jump(steps_.size() > 1 ? &steps_[steps_.size() - 2] : nullptr, step)) return false;
  z_ = step.ends.rightCols(1);
  note_rounding(step);
  sizes_ = sizes_.cwiseMax(z_.cwiseAbs());
  if (following == 0) return true;
  take_state(step, 1, state_);
  known_load_ = load_series_.leftCols(exact_orders);
  if (!series_.compute(known_load_, state_)) return false;
  z_.head(following) = series_.z().col(0).head(following);
  if (step.shapes.size() > 0) z_.head(following) += transient_of(step, 1);
  return z_.allFinite();
}

// Their lag is short, and so is it compared with all that z does: springs that harden may do much
// while the load does little.
int StretchMotion::modes_that_follow(const Step& step) {
  int count = modes_.shorter_than(step.h / lags_per_step);
  while (count > 0 && modes_.lag[count - 1] > 0 && !corrections_converge(step, count)) --count;
  return count;
}

// The last correction for the lag is an error of z'' that is below the one of an integration.
bool StretchMotion::corrections_converge(const Step& step, int following) {
  const int points = drives_.is_linear() ? 4 : 16;
  Vector size = sizes_.head(following), worst = Vector::Zero(following);
  state_.following = following;
  state_.z = z_;
  for (int k = 0; k <= points; ++k) {
    load_series(step, static_cast<double>(k) / points, all_orders);
    known_load_ = load_series_.leftCols(exact_orders);
    state_.more_load = load_series_.middleCols(exact_orders, corrections - 1);
    if (!series_.compute(known_load_, state_)) return false;
    Vector change = series_.z().col(2).head(following);
    state_.more_load = load_series_.rightCols(corrections);
    if (!series_.compute(known_load_, state_)) return false;
    change -= series_.z().col(2).head(following);
    worst = worst.cwiseMax(2 * change.cwiseAbs());
    size = size.cwiseMax(series_.z().col(0).head(following).cwiseAbs());
  }
  const Eigen::ArrayXd lag = modes_.lag.head(following).array();
  return (worst.array() * lag * lag <= tolerance_ * size.array()).all();
}

// How F^T load changes with z: 1 for linear springs.
Matrix StretchMotion::tangent(const VectorRef& z) const {
  Matrix S = Matrix::Identity(modes_.size(), modes_.size());
  if (drives_.is_linear()) return S;
  const Vector d = modes_.shapes * z;
  for (int spring = 0; spring < drives_.size(); ++spring)
    S += drives_.beyond_slope(spring, d[spring]) * modes_.shapes.row(spring).transpose() *
         modes_.shapes.row(spring);
  return S;
}

void StretchMotion::note_rounding(const Step& step) {
  if (step.following == modes_.size()) return;
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const Matrix S = tangent(z_);
  for (Eigen::Index i = step.following; i < modes_.size(); ++i) {
    const double rate = S(i, i) / modes_.lag[i];
    rounding_[i] = std::max(rounding_[i], rounding * sizes_[i] * rate * rate);
  }
}

// At corners too: the load and its rate are continuous, and so is z''. Without lag z'' is that of
// the load and exact; modes that are integrated on both sides go on from the same z, and do not
// jump.
bool StretchMotion::note_jump(const Step* before, const Step& step) {
  if (step.following == 0 && (before == nullptr || before->following == 0)) return true;
  Vector left = Vector::Zero(modes_.size()), right;  // at rest
  if (before != nullptr && !acceleration(*before, true, left)) return false;
  if (!acceleration(step, false, right)) return false;
  for (Eigen::Index i = 0; i < modes_.size(); ++i)
    if (modes_.lag[i] > 0) jumps_[i] = std::max(jumps_[i], std::abs(right[i] - left[i]));
  return true;
}

// z'' where a step begins or ends, as the answer has it.
bool StretchMotion::acceleration(const Step& step, bool at_end, Vector& out) {
  take_state(step, at_end ? 1 : 0, state_);
  if (!at_end) state_.z = step.ends.col(0);
  load_series(step, at_end ? 1 : 0, exact_orders);
  if (!series_.compute(load_series_, state_)) return false;
  out = 2 * series_.z().col(2);
  if (state_.transient.cols() > 2) out += 2 * state_.transient.col(2);
  return true;
}

// What follows the load does so from the corner on, where derivatives of the load may jump and z
// does not: the difference is a transient.
bool StretchMotion::begin_transients(const Step* before, bool at_corner, Step& step) {
  const int m = step.following;
  step.transient = step.fading = Vector::Zero(m);
  if (m == 0 || modes_.lag[m - 1] == 0) return true;
  const DriveModes fading(tangent(z_).topLeftCorner(m, m), modes_.lag.head(m).asDiagonal());
  if (!fading.exist()) return false;
  step.shapes = fading.shapes;
  step.fading = fading.lag.unaryExpr([](double lag) { return lag > 0 ? 1 / lag : 0; });
  const int followed = before == nullptr ? m : std::min(m, before->following);
  Vector rest = Vector::Zero(m);
  if (before != nullptr && before->shapes.size() > 0)
    rest.head(followed) = transient_of(*before, 1).head(followed);
  if (at_corner) rest.head(followed) += jump(fading, before, step).head(followed);
  if (followed < m) {  // from integrated to following
    load_series(step, 0, all_orders);
    state_.following = m;
    state_.z = z_;
    state_.more_load = load_series_.rightCols(corrections);
    known_load_ = load_series_.leftCols(exact_orders);
    if (!series_.compute(known_load_, state_)) return false;
    for (int i = followed; i < m; ++i) rest[i] = z_[i] - series_.z()(i, 0);
  }
  step.transient.noalias() = fading.inverse * rest;
  return true;
}

// Of what follows the load, where derivatives of the load jump: sum_k (-lag)^k (left - right)^(k).
// The load and its rate do not jump, as torques are continuous: what differs is rounding.
Vector StretchMotion::jump(const DriveModes& fading, const Step* before, const Step& step) {
  const auto m = fading.size();
  left_load_.setZero(drives_.size(), all_orders);  // at rest
  if (before != nullptr) {
    load_series(*before, 1, all_orders);
    left_load_ = load_series_;
  }
  load_series(step, 0, all_orders);
  const Matrix difference =
      (modes_.shapes.leftCols(m) * fading.shapes).transpose() * (left_load_ - load_series_);
  Vector sum = Vector::Zero(m), factor = -fading.lag;
  for (int k = 2; k < all_orders; ++k) {
    factor.array() *= -k * fading.lag.array();
    sum += factor.cwiseProduct(difference.col(k));
  }
  return fading.shapes * sum;
}

// What is left of it at x, of the modes that follow.
Vector StretchMotion::transient_of(const Step& step, double x) const {
  return step.shapes *
         (step.transient.array() * (-x * step.h * step.fading.array()).exp()).matrix();
}

bool StretchMotion::integrate_until_accurate(Step& step) {
  const double wanted = parts_wanted(step, z_);
  wanted_ += wanted;
  if (is_endless()) return false;
  const auto least = [](double parts) {
    return static_cast<int>(std::min(parts, 1.0 * most_parts));
  };
  int parts = std::max(parts_, least(wanted));
  Matrix coarse;
  if (!integrate(step, parts, coarse)) return false;
  double now = 0, last = std::numeric_limits<double>::infinity();
  while (true) {
    if (!integrate(step, 2 * parts, step.ends)) return false;
    sizes_ = sizes_.cwiseMax(step.ends.cwiseAbs().rowwise().maxCoeff());
    now = difference(step, coarse, step.ends);
    // small enough, or rounding stops it
    const bool is_small = now <= tolerance_ || (now > 0.5 * last && now < 1e-11);
    if (is_small && 2 * parts >= least(parts_wanted(step, step.ends))) break;
    if (parts >= most_parts) return false;
    last = now;
    parts *= 2;
    std::swap(coarse, step.ends);
  }
  parts_ = now <= 1e-3 * tolerance_ ? std::max(1, parts / 2) : parts;
  return true;
}

double StretchMotion::parts_wanted(const Step& step, const Matrix& z) const {
  double fastest = 0;
  for (Eigen::Index k = 0; k < (drives_.is_linear() ? 1 : z.cols()); ++k) {
    const Matrix S = tangent(z.col(k));
    for (Eigen::Index i = step.following; i < modes_.size(); ++i)
      fastest = std::max(fastest, S(i, i) / modes_.lag[i]);
  }
  return std::max(1.0, std::ceil(fastest * step.h / stiffest));
}

// Of the modes that are integrated, each relative to its size.
double StretchMotion::difference(const Step& step, const Matrix& coarse, const Matrix& fine) {
  double worst = 0;
  const double smallest = std::max(1e-3 * sizes_.maxCoeff(), std::numeric_limits<double>::min());
  for (Eigen::Index i = step.following; i < modes_.size(); ++i)
    for (Eigen::Index k = 0; k < coarse.cols(); ++k)
      worst =
          std::max(worst, std::abs(fine(i, 2 * k) - coarse(i, k)) / std::max(sizes_[i], smallest));
  return worst;
}

// At the stages lag z_i' + z_i + F^T beyond(F z_i) = F^T load_i, z_i = z + length sum_j A_ij z_j'.
StretchMotion::Part& StretchMotion::part_of(double length) {
  for (Part& known_part : parts_known_)
    if (known_part.length == length) return known_part;
  if (parts_known_.size() > 32) parts_known_.clear();
  const Collocation& method = radau5();
  const auto n = modes_.size();
  Part part{length, Matrix(n, radau_stages), nullptr};
  const Vector last = length * method.A.row(radau_stages - 1).transpose();
  const Matrix one = Matrix::Identity(radau_stages, radau_stages);
  for (Eigen::Index k = 0; k < n; ++k)
    part.weights.row(k) =
        solve_linear((modes_.lag[k] * one + length * method.A).transpose(), last).transpose();
  if (!drives_.is_linear()) {
    Matrix M(n * radau_stages, n * radau_stages), B = M, W = M;
    W.setZero();
    for (int i = 0; i < radau_stages; ++i) {
      for (int j = 0; j < radau_stages; ++j) {
        const double weight = length * method.A(i, j);
        M.block(i * n, j * n, n, n) = weight * Matrix::Identity(n, n);
        B.block(i * n, j * n, n, n) = weight * modes_.shapes;
      }
      M.block(i * n, i * n, n, n).diagonal() += modes_.lag;
      W.block(i * n, i * n, n, n) = modes_.shapes.transpose();
    }
    part.stages = std::make_unique<SpringEquations>(drives_, M, B, W);
  }
  parts_known_.push_back(std::move(part));
  return parts_known_.back();
}

// Linear modes that follow the load are left alone.
bool StretchMotion::integrate(const Step& step, int parts, Matrix& ends) {
  const Collocation& method = radau5();
  const auto n = modes_.size();
  Part& part = part_of(step.h / parts);
  loads_.resize(n, 1);
  modal_loads_.resize(n, radau_stages);
  ends.resize(n, parts + 1);
  ends.col(0) = z_;
  for (int p = 0; p < parts; ++p) {
    for (int i = 0; i < radau_stages; ++i) {
      step.load.series((p + method.c[i]) / parts, loads_);
      modal_loads_.col(i).noalias() = modes_.shapes.transpose() * loads_.col(0);
    }
    ends.col(p + 1) = ends.col(p);
    modal_loads_.colwise() -= ends.col(p);
    if (drives_.is_linear()) {
      for (Eigen::Index k = step.following; k < n; ++k)
        ends(k, p + 1) += part.weights.row(k).dot(modal_loads_.row(k));
    } else {
      right_ = modal_loads_.reshaped();
      beginning_ = (modes_.shapes * ends.col(p)).replicate(radau_stages, 1);
      rates_.resize(n * radau_stages);
      if (!part.stages->solve(beginning_, right_, rates_)) return false;
      ends.col(p + 1) += part.length * (rates_.reshaped(n, radau_stages) *
                                        method.A.row(radau_stages - 1).transpose());
    }
  }
  return ends.allFinite();
}

// load_series_: coefficients at x, in seconds.
void StretchMotion::load_series(const Step& step, double x, int columns) {
  load_series_.resize(step.load.size(), columns);
  step.load.series(x, load_series_);
  double factor = 1;
  for (Eigen::Index k = 1; k < load_series_.cols(); ++k) load_series_.col(k) *= factor /= step.h;
}

// What modes that follow have besides the load; z is set by the caller.
void StretchMotion::take_state(const Step& step, double x, StretchState& out) {
  out.following = step.following;
  out.z = step.ends.rightCols(1);
  if (step.following == 0) {
    out.transient.resize(modes_.size(), 0);
    return;
  }
  load_series(step, x, all_orders);
  out.more_load = load_series_.rightCols(corrections);
  out.transient.setZero(modes_.size(), step.shapes.size() > 0 ? exact_orders : 0);
  if (step.shapes.size() == 0) return;
  Vector fading = step.transient.array() * (-x * step.h * step.fading.array()).exp();
  for (int k = 0; k < exact_orders; ++k) {
    if (k > 0) fading = fading.cwiseProduct(step.fading) / -k;
    out.transient.col(k).head(step.following).noalias() = step.shapes * fading;
  }
}

// Coefficients of z where part `end` begins, in units of a part.
bool StretchMotion::series_at_end(const Step& step, int end, Matrix& out) {
  const auto parts = static_cast<double>(step.ends.cols() - 1);
  load_series(step, end / parts, step.following > 0 ? all_orders : known - 1);
  state_.following = step.following;
  state_.z = step.ends.col(end);
  state_.more_load = load_series_.rightCols(load_series_.cols() - (known - 1));
  known_load_ = load_series_.leftCols(known - 1);
  if (!series_.compute(known_load_, state_)) return false;
  out = series_.z().leftCols(known);
  double factor = 1;
  for (int k = 1; k < known; ++k) out.col(k) *= factor *= step.h / parts;
  return true;
}

bool StretchMotion::at(size_t i, double x, StretchState& out) {
  const Step& step = steps_[i];
  take_state(step, x, out);
  if (step.following == modes_.size()) return true;
  const int parts = static_cast<int>(step.ends.cols()) - 1;
  const int part = std::clamp(static_cast<int>(x * parts), 0, parts - 1);
  if (i != form_step_ || part != form_part_) {
    if (i == form_step_ && part == form_part_ + 1 && form_part_ >= 0)
      left_.swap(right_series_);
    else if (!series_at_end(step, part, left_))
      return false;
    if (!series_at_end(step, part + 1, right_series_)) return false;
    form_ = NewtonForm({{0, left_}, {1, right_series_}});
    form_step_ = i;
    form_part_ = part;
  }
  form_.series(x * parts - part, out.z);
  return true;
}

}  // namespace tauflex
