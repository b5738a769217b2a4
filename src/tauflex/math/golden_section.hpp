// The minimum of a function of one variable, by sections in the golden ratio.
#pragma once

#include <cmath>

namespace tauflex {

// Looks where f falls, until the interval is shorter than `width`. f keeps what it has seen.
template <class F>
void golden_section(double low, double high, double width, const F& f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = f(a), at_b = f(b);
  for (int k = 0; k < 40 && high - low > width; ++k) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = f(a = high - ratio * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = f(b = low + ratio * (high - low));
    }
  }
}

}  // namespace tauflex
