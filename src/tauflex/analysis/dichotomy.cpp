#include "tauflex/analysis/dichotomy.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/matrix_sign.hpp"
#include "tauflex/problem/internal_jacobian.hpp"

namespace tauflex {

namespace {

// As many orthonormal rows as the projector has dimensions, spanning its rows.
Matrix row_space(const Matrix& projector) {
  const auto rank = std::lround(projector.trace());
  return column_space(projector.transpose(), rank).transpose();
}

}  // namespace

Matrix jacobian_at_rest(InternalDynamics& dynamics, double t, const RestState& rest) {
  const int p = dynamics.freedom();
  InternalMotion m = dynamics.motion();
  m.q = rest.q;
  m.lambda = rest.lambda;
  if (!dynamics.solve(t, m.chart * rest.q.head(m.chart.cols()), Vector::Zero(p), m))
    throw ProblemError(
        fmt::format("{}: the robot at rest at t = {:.6g} s has no internal dynamics that its "
                    "equations determine",
                    dynamics.problem().task().where, t));
  Matrix J(p, 2 * p);
  InternalJacobian(dynamics).exact(m, J);
  return first_order(J);
}

Dichotomy dichotomy(InternalDynamics& dynamics, double t, const RestState& rest, double rate) {
  const int p = dynamics.freedom(), n = 2 * p;
  Dichotomy result;
  result.y = Vector::Zero(n);
  const Matrix chart = dynamics.motion().chart;
  result.y.head(p) = chart * rest.q.head(chart.cols());
  result.J = jacobian_at_rest(dynamics, t, rest);
  const Matrix identity = Matrix::Identity(n, n);
  MatrixSign sign;
  sign.compute(result.J - rate * identity);
  const Matrix grows = 0.5 * (identity + sign.value());
  if (!grows.allFinite() || std::abs(grows.trace() - std::round(grows.trace())) > 1e-6)
    throw ProblemError(fmt::format(
        "{}: an internal motion at rest at t = {:.6g} s grows by {:.3g} per second, neither fast "
        "enough to count as growing nor slow enough to be neglected; another window helps",
        dynamics.problem().task().where, t, rate));
  result.unstable = row_space(grows);
  result.stable = row_space(identity - grows);
  return result;
}

}  // namespace tauflex
