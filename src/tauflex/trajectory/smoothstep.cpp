#include "tauflex/trajectory/smoothstep.hpp"

#include <fmt/format.h>

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

Jet Smoothstep::first_half(const Jet& x) const {
  const Jet rest = 1 - x;
  Jet power = x, sum = binomials_[m_];
  for (int k = m_ - 1; k >= 0; --k) {
    power *= x;
    sum = sum * rest + binomials_[k];
  }
  return power * sum;
}

Jet Smoothstep::operator()(const Jet& x) const {
  if (x[0] < 0) return Jet::zero(x.order());
  if (x[0] >= 1) return 1 + Jet::zero(x.order());
  return x[0] <= 0.5 ? first_half(x) : 1 - first_half(1 - x);
}

Progress Smoothstep::progress(double t, double duration, int order) const {
  const bool second_half = t > duration / 2;
  if (t < 0 || t >= duration) return {second_half, Jet::zero(order)};
  const Jet time = Jet::time(t, order);
  // duration - t has no rounding error in the second half
  return {second_half, first_half((second_half ? duration - time : time) * (1 / duration))};
}

}  // namespace tauflex
