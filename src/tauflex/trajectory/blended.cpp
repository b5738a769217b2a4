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
    : way_(std::move(way)), ramp_(std::max(0, way_.smoothness - 1)) {
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
  pace_.emplace(stretches(), std::max(0, way_.smoothness - 1));
  if (!std::isfinite(duration()) || !(way_.ramp > 0))
    throw InputError(fmt::format("the way takes {} s; check speed and acceleration", duration()));
  for (int i = 1; i < n; ++i) {
    const double b = way_.blends[i], before = way_.blends[i - 1];
    add_piece(at_[i - 1] + before, i, false);
    if (b > 0) add_piece(at_[i] - b, i, true);
  }
}

// Whether the way from a point to the next is straight for long enough to change the speed there.
bool BlendedPath::is_free(Eigen::Index i) const {
  const double before = way_.blends[i], behind = way_.blends[i + 1];
  return way_.times[i] - before - behind >= 2 * std::max(before, behind);
}

// With the corners from first to last in it.
Stretch BlendedPath::stretch_between(double begin, double end, Eigen::Index first,
                                     Eigen::Index last) const {
  if (first > last) return {end - begin, 1, way_.ramp};
  const double demand = way_.demands.segment(first, last - first + 1).maxCoeff();
  const double alone = std::min(1.0, 1 / std::sqrt(demand)),
               before = at_[first] - way_.blends[first] - begin,
               behind = end - at_[last] - way_.blends[last];
  if (way_.ramp * alone * alone / 2 <= std::min(before, behind))  // no ramp reaches a corner
    return {end - begin, alone, way_.ramp};
  return {end - begin, std::min(1.0, 1 / std::sqrt(2 * demand)), 2 * way_.ramp};
}

// Sharp corners are stretches of their own. One between two free ways takes all of the
// acceleration; those that are close to others, or to an end, share it with the ramps. Mild ones
// belong to the ways around them.
std::vector<Stretch> BlendedPath::stretches() const {
  std::vector<Stretch> all;
  double begin = 0;
  Eigen::Index first = 1;  // of the mild corners since then
  const Eigen::Index end = way_.points.rows() - 1;
  for (Eigen::Index i = 1, last = 1; i < end; i = last + 1) {
    for (last = i; last + 1 < end && !is_free(last);) ++last;
    const double demand = way_.demands.segment(i, last - i + 1).maxCoeff();
    if (demand <= 0.5) continue;
    const bool after_way = is_free(i - 1), before_way = is_free(last);
    const double from = after_way ? at_[i] - way_.blends[i] : at_[i - 1] + way_.blends[i - 1],
                 to = before_way ? at_[last] + way_.blends[last] : at_[end];
    if (from > begin) all.push_back(stretch_between(begin, from, first, i - 1));
    if (i == last && after_way && before_way)
      all.push_back({to - from, std::min(1.0, 1 / std::sqrt(demand)), 0});
    else
      all.push_back({to - from, std::min(1.0, 1 / std::sqrt(2 * demand)), 2 * way_.ramp});
    begin = to;
    first = last + 1;
  }
  if (at_[end] > begin) all.push_back(stretch_between(begin, at_[end], first, end - 1));
  return all;
}

void BlendedPath::add_piece(double sigma, int point, bool is_blend) {
  pieces_.push_back({pieces_.empty() ? 0 : pace_->time_of(sigma), point, is_blend});
}

void BlendedPath::derivatives(double t, MatrixOut y) const {
  const int order = static_cast<int>(y.cols()) - 1;
  if (t < 0 || t >= duration()) {
    y.setZero();
    y.col(0) = way_.points.row(t < 0 ? 0 : way_.points.rows() - 1).transpose();
    return;
  }
  const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                     [](double time, const Piece& p) { return time < p.begin; });
  const auto& [begin, point, is_blend] = *(next - 1);
  Jet x = (*pace_)(t, order) - Jet(at_[point]);
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
  const std::vector<double> paces = pace_->times();
  std::set<double> times(paces.begin(), paces.end());
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
