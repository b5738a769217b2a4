#include "tauflex/analysis/dichotomy.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/problem/internal_jacobian.hpp"

namespace tauflex {

namespace {

// sign(A): 1 for eigenvalues right of the imaginary axis, -1 left of it.
Matrix matrix_sign(Matrix S) {
  const Matrix one = Matrix::Identity(S.rows(), S.cols());
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Lu lu(S);
    const double det = std::abs(lu.determinant());
    // scaled by the determinant, it converges in a few iterations whatever the units
    const double scale =
        det > 0 && std::isfinite(det) ? std::pow(det, -1.0 / static_cast<double>(S.rows())) : 1;
    const Matrix next = 0.5 * (scale * S + lu.solve(one) / scale);
    const double change = (next - S).norm();
    S = next;
    if (!(change > 1e-13 * S.norm())) break;
  }
  return S;
}

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
  if (!dynamics.solve(t, rest.q(dynamics.free_joints()), Vector::Zero(p), m))
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
  result.y.head(p) = rest.q(dynamics.free_joints());
  result.J = jacobian_at_rest(dynamics, t, rest);
  const Matrix identity = Matrix::Identity(n, n);
  const Matrix grows = 0.5 * (identity + matrix_sign(result.J - rate * identity));
  if (!grows.allFinite() || std::abs(grows.trace() - std::round(grows.trace())) > 1e-6)
    throw ProblemError(fmt::format(
        "{}: an internal motion at rest at t = {:.6g} s grows by {:.3g} per second, neither fast "
        "enough to count as growing nor slowly enough to wait for; another window helps",
        dynamics.problem().task().where, t, rate));
  result.unstable = row_space(grows);
  result.stable = row_space(identity - grows);
  return result;
}

}  // namespace tauflex
