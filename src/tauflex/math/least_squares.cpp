#include "tauflex/math/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// The damped step by QR of [J; sqrt(mu) D], which does not square the condition number.
Vector damped_step(const Vector& r, const Matrix& J, double mu) {
  const auto m = J.rows(), n = J.cols();
  const Vector D = J.colwise().norm().cwiseMax(1e-8 * J.norm() + 1e-300);
  Matrix stacked(m + n, n);
  stacked.topRows(m) = J;
  stacked.bottomRows(n) = (std::sqrt(mu) * D).asDiagonal();
  Vector right(m + n);
  right << -r, Vector::Zero(n);
  return least_norm_solution(stacked, right);
}

// What mu is multiplied with, from what a step gained of what was predicted.
double damping_factor(double gain) {
  return gain > 0.75 ? 1.0 / 3 : gain > 0.5 ? 1.0 : gain > 0 ? 3.0 : 10.0;
}

}  // namespace

LeastSquaresResult least_squares(const ResidualAndJacobian& f, const Vector& start,
                                 const LeastSquaresOptions& options) {
  LeastSquaresResult result;
  result.x = start;
  f(result.x, result.residual, result.jacobian);
  double mu = options.damping;
  Vector r_trial;
  Matrix J_trial;
  for (; result.iterations < options.max_iterations; ++result.iterations) {
    const Vector dx = damped_step(result.residual, result.jacobian, mu);
    const double before = result.residual.squaredNorm();
    const double predicted = before - (result.residual + result.jacobian * dx).squaredNorm();
    if (options.least_gain && !(predicted > *options.least_gain)) break;
    f(result.x + dx, r_trial, J_trial);
    const double gained =
        r_trial.allFinite() ? before - r_trial.squaredNorm() : -std::abs(predicted);
    const bool is_better = r_trial.allFinite() && r_trial.norm() <= result.residual.norm();
    if (is_better) {
      result.x += dx;
      std::swap(result.residual, r_trial);
      std::swap(result.jacobian, J_trial);
    }
    if (options.least_gain) {
      mu *= damping_factor(gained / predicted);
      continue;
    }
    if (dx.norm() <= options.tolerance * (1 + result.x.norm())) break;
    mu = is_better ? std::max(mu * 0.1, 1e-30) : std::max(mu * 10, 1e-12);
    if (mu > 1e20) break;
  }
  return result;
}

}  // namespace tauflex
