// Quadrature by Gauss.
#pragma once

#include <vector>

namespace tauflex {

struct GaussPoint {
  double x, weight;
};
// Points and weights on [0, 1], exact to degree 2 count - 1.
std::vector<GaussPoint> gauss_points(int count);

}  // namespace tauflex
