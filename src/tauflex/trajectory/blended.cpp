#include "tauflex/trajectory/blended.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

namespace {

// What rounding has put outside of a ramp belongs to it.
double within_ramp(double t, double width) {
  return std::clamp(t, 0.0, std::nextafter(width, 0.0));
}

}  // namespace

BlendedPath::BlendedPath(BlendedWay way)
    : way_(std::move(way)), ramp_(std::max(0, way_.smoothness - 1)), ramp_time_(way_.ramp) {
  if (way_.smoothness < 1 || way_.smoothness > largest_smoothness)
    throw InputError(
        fmt::format("smoothness must be 1 to {}, got {}", largest_smoothness, way_.smoothness));
  const Eigen::Index n = way_.points.rows();
  at_ = Vector::Zero(n);
  velocities_ = Matrix::Zero(size(), n);
  for (Eigen::Index i = 1; i < n; ++i) {
    at_[i] = at_[i - 1] + way_.times[i - 1];
    velocities_.col(i) =
        (way_.points.row(i) - way_.points.row(i - 1)).transpose() / way_.times[i - 1];
  }
  const double length = at_[n - 1];
  if (length <
      ramp_time_) {  // full speed is not reached: the same acceleration, for a shorter time
    peak_ = std::sqrt(length / ramp_time_);
    ramp_time_ *= peak_;
  }
  duration_ = length / peak_ + ramp_time_;
  if (!std::isfinite(duration_) || !(ramp_time_ > 0))
    throw InputError(fmt::format("the way takes {} s; check speed and acceleration", duration_));
  for (int i = 1; i < n; ++i) {
    const double b = way_.blends[i], before = way_.blends[i - 1];
    add_piece(at_[i - 1] + before, i, false);
    if (b > 0) add_piece(at_[i] - b, i, true);
  }
}

void BlendedPath::add_piece(double sigma, int point, bool is_blend) {
  pieces_.push_back({pieces_.empty() ? 0 : time_of(sigma), point, is_blend});
}

// By symmetry sigma(t) = length - sigma(T - t).
Jet BlendedPath::sigma(double t, int order) const {
  const double fall = duration_ - ramp_time_;
  if (t < fall || t < ramp_time_) return Jet(peak_) * ramp_(t, ramp_time_, order);
  Jet left = Jet(peak_) * ramp_(within_ramp(duration_ - t, ramp_time_), ramp_time_, order);
  for (int k = 0; k <= order; ++k) left[k] = (k % 2 == 0 ? -left[k] : left[k]);
  left[0] += at_[at_.size() - 1];
  return left;
}

// The first number at which sigma is reached.
double BlendedPath::time_of(double wanted) const {
  double low = 0, high = duration_;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (sigma(middle, 0)[0] < wanted ? low : high) = middle;
  }
}

void BlendedPath::derivatives(double t, MatrixOut y) const {
  const int order = static_cast<int>(y.cols()) - 1;
  if (t < 0 || t >= duration_) {
    y.setZero();
    y.col(0) = way_.points.row(t < 0 ? 0 : way_.points.rows() - 1).transpose();
    return;
  }
  const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                     [](double time, const Piece& p) { return time < p.begin; });
  const auto& [begin, point, is_blend] = *(next - 1);
  Jet x = sigma(t, order) - Jet(at_[point]);
  for (int k = 0; k <= order; ++k) y.col(k) = velocities_.col(point) * x.derivative(k);
  y.col(0) += way_.points.row(point).transpose();
  if (!is_blend) return;
  // R(x + d) = R_0 + d (R_1 + d (R_2 + ..))
  const double b = way_.blends[point];
  const Jet R = ramp_(within_ramp(x[0] + b, 2 * b), 2 * b, order);
  x[0] = 0;
  Jet turned = Jet::zero(order);
  for (int k = order; k >= 0; --k) {
    turned *= x;
    turned[0] += R[k];
  }
  for (int k = 0; k <= order; ++k)
    y.col(k) += (velocities_.col(point + 1) - velocities_.col(point)) * turned.derivative(k);
}

std::vector<Corner> BlendedPath::corners() const {
  std::set<double> times = {0, ramp_time_, duration_ - ramp_time_, duration_};
  for (const Piece& piece : pieces_) times.insert(piece.begin);
  std::vector<Corner> all;
  Matrix before(size(), Jet::capacity), after(size(), Jet::capacity);
  for (const double t : times) {
    derivatives(std::nextafter(t, -1.0), before);
    derivatives(t, after);
    const Vector magnitude =
        before.cwiseAbs().cwiseMax(after.cwiseAbs()).colwise().maxCoeff().transpose();
    if (const auto corner = corner_between(t, before, after, way_.smoothness + 1, magnitude))
      all.push_back(*corner);
  }
  return all;
}

}  // namespace tauflex
