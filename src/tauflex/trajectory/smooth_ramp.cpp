#include "tauflex/trajectory/smooth_ramp.hpp"

#include <cmath>

namespace tauflex {

SmoothRamp::SmoothRamp(int smoothness) : m_(smoothness), s_(2 * smoothness + 1) {}

// I_x(m + 2, m + 1) = sum_{j = m+2 .. n} C(n, j) x^j (1 - x)^(n - j),  n = 2m + 2
double SmoothRamp::integral(double x) const {
  const int n = 2 * m_ + 2;
  double binomial = 1, beta = 0;
  for (int j = 0; j <= n; ++j) {
    if (j >= m_ + 2) beta += binomial * std::pow(x, j) * std::pow(1 - x, n - j);
    binomial *= static_cast<double>(n - j) / (j + 1);
  }
  return x * s_(x, 0)[0] - beta / 2;
}

Jet SmoothRamp::operator()(double t, double width, int order) const {
  Jet R = Jet::zero(order);
  if (t < 0) return R;
  if (t >= width) {
    R[0] = t - width / 2;
    if (order > 0) R[1] = 1;
    return R;
  }
  const double x = t / width;
  R[0] = width * (x <= 0.5 ? integral(x) : x - 0.5 + integral(1 - x));
  const Jet s = s_(x, order);
  double scale = 1;
  for (int j = 1; j <= order; ++j, scale /= width) R[j] = s[j - 1] * scale / j;
  return R;
}

}  // namespace tauflex
