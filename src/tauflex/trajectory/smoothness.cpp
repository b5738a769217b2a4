#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

std::optional<Corner> first_corner(const OutputPath& path, int required) {
  for (const Corner& corner : path.corners())
    if (corner.derivative <= required) return corner;
  return std::nullopt;
}

std::optional<Corner> corner_between(double time, const MatrixRef& before, const MatrixRef& after,
                                     int lowest, const VectorRef& magnitude) {
  constexpr double rounding = 1e-6;  // what is left of the 13th derivative of a spline
  for (int k = lowest; k < before.cols(); ++k) {
    int output = 0;
    const double jump = (after.col(k) - before.col(k)).cwiseAbs().maxCoeff(&output);
    if (jump > rounding * magnitude[k]) return Corner{time, k, output};
  }
  return std::nullopt;
}

}  // namespace tauflex
