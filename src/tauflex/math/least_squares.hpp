// Levenberg-Marquardt for small dense systems: robust far from the solution, Newton near it.
//   (J^T J + mu diag(J^T J)) dx = -J^T r
#pragma once

#include <functional>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct LeastSquaresOptions {
  int max_iterations = 200;
  double tolerance = 1e-14;  // on the step, relative to 1 + |x|
};

struct LeastSquaresResult {
  Vector x;
  Vector residual;
  Matrix jacobian;
  int iterations = 0;
};

// Writes r(x) and J(x).
using ResidualAndJacobian = std::function<void(const Vector& x, Vector& r, Matrix& J)>;

LeastSquaresResult least_squares(const ResidualAndJacobian& f, const Vector& start,
                                 const LeastSquaresOptions& options = {});

}  // namespace tauflex
