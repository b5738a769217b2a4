#include "tauflex/math/least_squares.hpp"

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

LeastSquaresResult least_squares(const ResidualAndJacobian& f, const Vector& start,
                                 const LeastSquaresOptions& options) {
  LeastSquaresResult result;
  result.x = start;
  f(result.x, result.residual, result.jacobian);
  const auto n = start.size(), m = result.residual.size();
  double mu = 1e-6;
  Vector r_trial;
  Matrix J_trial;
  for (; result.iterations < options.max_iterations; ++result.iterations) {
    // The damped step by QR of [J; sqrt(mu) D], which does not square the condition number.
    const Vector D =
        result.jacobian.colwise().norm().cwiseMax(1e-8 * result.jacobian.norm() + 1e-300);
    Matrix stacked(m + n, n);
    stacked.topRows(m) = result.jacobian;
    stacked.bottomRows(n) = (std::sqrt(mu) * D).asDiagonal();
    Vector right(m + n);
    right << -result.residual, Vector::Zero(n);
    const Vector dx = least_norm_solution(stacked, right);
    const Vector x_trial = result.x + dx;
    f(x_trial, r_trial, J_trial);
    if (r_trial.allFinite() && r_trial.norm() <= result.residual.norm()) {
      result.x = x_trial;
      result.residual = r_trial;
      result.jacobian = J_trial;
      mu = std::max(mu * 0.1, 1e-30);
      if (dx.norm() <= options.tolerance * (1 + result.x.norm())) break;
    } else {
      if (dx.norm() <= options.tolerance * (1 + result.x.norm())) break;
      mu = std::max(mu * 10, 1e-12);
      if (mu > 1e20) break;
    }
  }
  return result;
}

}  // namespace tauflex
