#include "tauflex/math/gauss_points.hpp"

#include <cmath>

namespace tauflex {

std::vector<GaussPoint> gauss_points(int count) {
  std::vector<GaussPoint> points;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(M_PI * (i + 0.75) / (count + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      double p = 1, before = 0;
      for (int k = 1; k <= count; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = count * (x * p - before) / (x * x - 1);
      x -= p / slope;
      if (std::abs(p / slope) < 1e-16) break;
    }
    points.push_back({(1 - x) / 2, 1 / ((1 - x * x) * slope * slope)});
  }
  return points;
}

}  // namespace tauflex
