#include "tauflex/trajectory/rest_series.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

RestSeries::RestSeries(const VectorRef& from, const MatrixRef& coefficients, double duration)
    : from_(from), c_(coefficients), duration_(duration) {
  assert(c_.rows() == from_.size() && duration > 0);
}

Jet RestSeries::term(int k, double t, double duration, int order) {
  if (k == 0) {
    const auto [second_half, part] = Smoothstep(2 * smoothness + 1).progress(t, duration, order);
    return second_half ? 1 - part : part;
  }
  if (t < 0 || t >= duration) return Jet::zero(order);
  const Jet x = Jet::time(t, order) / Jet(duration),
            left = (Jet(duration) - Jet::time(t, order)) / Jet(duration);  // 1 - x
  const Jet hill = 4 * x * left, z = x - left;
  Jet b = hill;
  for (int i = 0; i < smoothness; ++i) b *= hill;
  Jet before = Jet::zero(order), P = Jet(1);
  for (int n = 0; n + 1 < k; ++n) {  // (n + 1) P_{n+1} = (2n + 1) z P_n - n P_{n-1}
    const Jet next = (Jet(2 * n + 1) * z * P - Jet(n) * before) / Jet(n + 1);
    before = P;
    P = next;
  }
  return b * P;
}

void RestSeries::derivatives(double t, MatrixOut y) const {
  const int order = static_cast<int>(y.cols()) - 1;
  y.setZero();
  for (int k = 0; k < c_.cols(); ++k) {
    const Jet b = term(k, t, duration_, order);
    for (int j = 0; j <= order; ++j) y.col(j) += c_.col(k) * b.derivative(j);
  }
  y.col(0) += from_;
}

// At an end, where the curve meets the hold.
std::optional<Corner> RestSeries::corner_at(double t) const {
  constexpr int order = Jet::capacity - 1;
  const bool at_end = t > 0;
  Matrix moving = Matrix::Zero(size(), order + 1), rest = moving;
  Vector magnitude = Vector::Zero(order + 1);
  // the limit from inside; at the end by symmetry: b_0 -> 1 - b_0, P_n(-z) = (-1)^n P_n(z)
  for (int k = 0; k < c_.cols(); ++k) {
    const Jet b = term(k, 0, duration_, order);
    for (int j = smoothness + 1; j <= order; ++j) {
      double value = b.derivative(j);
      if (at_end && k == 0) value = -value;
      if (at_end && (k > 0 && k % 2 == 0)) value = -value;
      if (at_end && j % 2 == 1) value = -value;
      moving.col(j) += c_.col(k) * value;
      magnitude[j] = std::max(magnitude[j], std::abs(value) * c_.col(k).cwiseAbs().maxCoeff());
    }
  }
  return at_end ? corner_between(t, moving, rest, smoothness + 1, magnitude)
                : corner_between(t, rest, moving, smoothness + 1, magnitude);
}

std::vector<Corner> RestSeries::corners() const {
  std::vector<Corner> all;
  for (const double t : {0.0, duration_})
    if (const auto corner = corner_at(t)) all.push_back(*corner);
  return all;
}

// A bump of degree k turns k times.
std::vector<double> RestSeries::pieces(double from, double to) const {
  const Eigen::Index n = std::max<Eigen::Index>(1, c_.cols());
  std::vector<double> times = {from};
  for (Eigen::Index k = 0; k <= n; ++k) {
    const double t = duration_ * static_cast<double>(k) / static_cast<double>(n);
    if (t > times.back() && t < to) times.push_back(t);
  }
  if (to > from) times.push_back(to);
  return times;
}

}  // namespace tauflex
