#include "tauflex/math/sine_cosine.hpp"

#include <cmath>

#include "tauflex/math/reduced_sine_cosine.hpp"

namespace tauflex {

void sin_cos(double x, double& sine, double& cosine) {
  if (std::abs(x) <= largest_reduced_angle) {
    reduced_sine_cosine(x, sine, cosine);
  } else {
    sine = std::sin(x);
    cosine = std::cos(x);
  }
}

void sin_cos(const double* x, int count, double* sines, double* cosines) {
  using Two = Lanes<2>;
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    if (!(std::abs(x[i]) <= largest_reduced_angle && std::abs(x[i + 1]) <= largest_reduced_angle)) {
      for (int k = i; k < i + 2; ++k) sin_cos(x[k], sines[k], cosines[k]);
      continue;
    }
    Two s, c;
    reduced_sine_cosine(Two::load(x + i), s, c);
    s.store(sines + i);
    c.store(cosines + i);
  }
  if (i < count) sin_cos(x[i], sines[i], cosines[i]);
}

}  // namespace tauflex
