// The polynomial through values and derivatives at given points, in Newton's form, several
// components at once.
//   p(x) = c_0 + c_1 (x - z_0) + c_2 (x - z_0)(x - z_1) + ...
// c are divided differences; where points coincide they are derivatives.
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class NewtonForm {
 public:
  struct Point {
    double x;
    // Components x known coefficients, p^(k)(x)/k!
    Matrix series;
  };

  NewtonForm() = default;
  // In increasing order of x.
  explicit NewtonForm(const std::vector<Point>& points);

  int size() const { return static_cast<int>(c_.rows()); }
  // Coefficients of the series at x, as many as `out` has columns; one row per component.
  void series(double x, MatrixOut out) const;

 private:
  Vector z_;
  // Components x conditions.
  Matrix c_;
};

}  // namespace tauflex
