// Levenberg-Marquardt for small dense systems: robust far from the solution, Newton near it.
//   (J^T J + mu diag(J^T J)) dx = -J^T r
#pragma once

#include <functional>
#include <optional>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct LeastSquaresOptions {
  int max_iterations = 200;
  // On the step, relative to 1 + |x|.
  double tolerance = 1e-14;
  // First mu.
  double damping = 1e-6;
  // For sums of squares that do not vanish at the minimum, where their curvature is not J^T J
  // alone: the damping grows where a step gains less than J^T J predicts, and the iteration ends
  // where it predicts less than this gain of |r|^2.
  std::optional<double> least_gain = {};
};

struct LeastSquaresResult {
  Vector x;
  Vector residual;
  Matrix jacobian;
  int iterations = 0;
};

// Writes r(x) and J(x). Steps to where r is not finite are refused.
using ResidualAndJacobian = std::function<void(const Vector& x, Vector& r, Matrix& J)>;

LeastSquaresResult least_squares(const ResidualAndJacobian& f, const Vector& start,
                                 const LeastSquaresOptions& options = {});

}  // namespace tauflex
