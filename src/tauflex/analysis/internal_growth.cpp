#include "tauflex/analysis/internal_growth.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/problem/internal_series.hpp"

namespace tauflex {

std::optional<InternalGrowth> internal_growth(const InverseProblem& problem, const RestState& start,
                                              const Solution& solution) {
  if (!jets_apply(problem, start.q)) return std::nullopt;
  InternalDynamics dynamics(problem);
  dynamics.choose(start.q);
  const int p = dynamics.freedom(), n = 2 * p;
  if (p == 0) return std::nullopt;
  InternalGrowth result;
  InternalMotion m = dynamics.motion();
  InternalJacobian f(dynamics);
  double unit = 0;
  // f_y of (s, s' / unit), so that all are of one kind
  const auto jacobian = [&](Eigen::Index i, Matrix& A) {
    m.q = solution.q.col(i);
    const Vector s = solution.q.col(i)(dynamics.free_joints());
    const Vector rate = solution.v.col(i)(dynamics.free_joints());
    if (!dynamics.solve(solution.t[i], s, rate, m)) return false;
    A = Matrix::Zero(n, n);
    f.exact(solution.t[i], m, A.bottomRows(p));
    if (unit == 0)
      unit =
          std::max(1e-3, std::sqrt(A.bottomLeftCorner(p, p).cwiseAbs().rowwise().sum().maxCoeff()));
    A.topRightCorner(p, p) = unit * Matrix::Identity(p, p);
    A.bottomLeftCorner(p, p) /= unit;
    return true;
  };
  Matrix before, after;
  if (!jacobian(0, before)) return std::nullopt;
  const Matrix one = Matrix::Identity(n, n);
  // The whole transition, and its directions one by one: those that grow hide none that decay.
  Matrix Phi = one, Q = one;
  Vector exponents = Vector::Zero(n);
  double scale = 0;  // Phi exp(scale) is the transition
  constexpr Eigen::Index most_points = 1000;
  const Eigen::Index last = solution.t.size() - 1;
  const Eigen::Index stride = std::max<Eigen::Index>(1, last / most_points);
  for (Eigen::Index i = 0; i < last;) {
    const Eigen::Index next = std::min(i + stride, last);
    if (!jacobian(next, after)) return std::nullopt;
    const Matrix A = 0.5 * (before + after);
    before.swap(after);
    const Matrix half = 0.5 * (solution.t[next] - solution.t[i]) * A;
    const Lu lu(one - half);
    Phi = lu.solve(Matrix((one + half) * Phi));
    const double size = Phi.cwiseAbs().maxCoeff();
    Phi /= size;
    scale += std::log(size);
    const Qr turned = qr(lu.solve(Matrix((one + half) * Q)));
    Q = turned.Q;
    exponents += turned.R.diagonal().cwiseAbs().array().log().matrix();
    const double grown =
        std::exp(std::min(scale + std::log(singular_values(Phi.topLeftCorner(p, p))[0]), 700.0));
    if (grown > result.largest) {
      result.largest = grown;
      result.t = solution.t[next];
    }
    if (grown > 1000 && !result.first_loss) result.first_loss = solution.t[next];
    i = next;
  }
  const double tenfold = std::log(10.0);
  for (const double e : exponents)
    ++(e > tenfold ? result.growing : e < -tenfold ? result.decaying : result.marginal);
  return result;
}

}  // namespace tauflex
