#include "tauflex/trajectory/smoothstep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"

namespace tauflex {

Smoothstep::Smoothstep(int degree) : m_((degree - 1) / 2) {
  if (degree < 1 || degree > largest_degree || degree % 2 == 0)
    throw InputError(
        fmt::format("the degree of a rest-to-rest polynomial must be odd, 1 to {}, got {}",
                    largest_degree, degree));
  binomials_[0] = 1;
  for (int k = 1; k <= m_; ++k) binomials_[k] = binomials_[k - 1] * (m_ + k) / k;  // exact: < 2^53
}

// At x + slope h the power has positive Taylor coefficients (slope > 0) and the sum alternating
// ones: nothing cancels before they are multiplied.
Jet Smoothstep::first_half(double x, double slope, int order) const {
  Jet power = Jet::zero(order), sum = Jet::zero(order);
  power[0] = 1;
  for (int k = m_; k >= 0; --k) {
    const int degree = m_ - k;  // of the sum so far
    for (int j = std::min(order, degree); j > 0; --j)
      sum[j] = sum[j] * (1 - x) - sum[j - 1] * slope;
    sum[0] = sum[0] * (1 - x) + binomials_[k];
    for (int j = std::min(order, degree + 1); j > 0; --j)
      power[j] = power[j] * x + power[j - 1] * slope;
    power[0] *= x;
  }
  return power * sum;
}

Jet Smoothstep::operator()(double x, int order) const {
  const auto [second_half, part] = progress(x, 1, order);
  return second_half ? 1 - part : part;
}

StepPart Smoothstep::progress(double t, double duration, int order) const {
  const bool second_half = t > duration / 2;
  if (t < 0 || t >= duration) return {second_half, Jet::zero(order)};
  // duration - t has no rounding error in the second half
  if (second_half) return {true, first_half((duration - t) / duration, -1 / duration, order)};
  return {false, first_half(t / duration, 1 / duration, order)};
}

}  // namespace tauflex
