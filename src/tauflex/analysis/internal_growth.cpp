#include "tauflex/analysis/internal_growth.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/problem/internal_series.hpp"

namespace tauflex {

namespace {

// The transition of a linear system y' = A y, by the implicit midpoint rule. Also its directions
// one by one: those that grow hide none that decay.
class Transition {
 public:
  explicit Transition(int n)
      : one_(Matrix::Identity(n, n)), Phi_(one_), Q_(one_), exponents_(Vector::Zero(n)) {}

  void step(const Matrix& A, double h) {
    const Matrix half = 0.5 * h * A;
    const Lu lu(one_ - half);
    Phi_ = lu.solve(Matrix((one_ + half) * Phi_));
    const double size = Phi_.cwiseAbs().maxCoeff();
    Phi_ /= size;
    scale_ += std::log(size);
    const Qr turned = qr(lu.solve(Matrix((one_ + half) * Q_)));
    Q_ = turned.Q;
    exponents_ += turned.R.diagonal().cwiseAbs().array().log().matrix();
  }

  // Of the first p components, when only they are disturbed.
  double growth(int p) const {
    return std::exp(
        std::min(scale_ + std::log(singular_values(Phi_.topLeftCorner(p, p))[0]), 700.0));
  }

  // Logarithms of how much each direction has grown.
  const Vector& exponents() const { return exponents_; }

 private:
  // Phi exp(scale) is the transition, Q the directions.
  Matrix one_, Phi_, Q_;
  Vector exponents_;
  double scale_ = 0;
};

// How far the joints move with s, at most.
double reach(const InternalMotion& m) {
  const auto n = m.positions.size(), p = m.chart.rows();
  Matrix T = Matrix::Zero(n, p);
  T.bottomRows(p).setIdentity();
  m.positions.solve_columns(T, T);
  return T.cwiseAbs().maxCoeff();
}

}  // namespace

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
  double first_reach = 0;
  // f_y of (s, s' / unit), so that all are of one kind
  const auto jacobian = [&](Eigen::Index i, Matrix& A) {
    m.q = solution.q.col(i);
    const Vector s = m.chart * m.q.head(m.chart.cols());
    Vector rate(p);
    dynamics.rates(m, m.q, solution.v.col(i), rate);
    if (!dynamics.solve(solution.t[i], s, rate, m)) return false;
    // far from where it was chosen s no longer measures orientations
    if (first_reach == 0) first_reach = reach(m);
    if (dynamics.turns() && reach(m) > 3 * first_reach) return false;
    A = Matrix::Zero(n, n);
    f.exact(m, A.bottomRows(p));
    if (unit == 0)
      unit =
          std::max(1e-3, std::sqrt(A.bottomLeftCorner(p, p).cwiseAbs().rowwise().sum().maxCoeff()));
    A.topRightCorner(p, p) = unit * Matrix::Identity(p, p);
    A.bottomLeftCorner(p, p) /= unit;
    return true;
  };
  Matrix before, after;
  if (!jacobian(0, before)) return std::nullopt;
  Transition transition(n);
  constexpr Eigen::Index most_points = 1000;
  const Eigen::Index last = solution.t.size() - 1;
  const Eigen::Index stride = std::max<Eigen::Index>(1, last / most_points);
  for (Eigen::Index i = 0; i < last;) {
    const Eigen::Index next = std::min(i + stride, last);
    if (!jacobian(next, after)) return std::nullopt;
    transition.step(0.5 * (before + after), solution.t[next] - solution.t[i]);
    before.swap(after);
    const double grown = transition.growth(p);
    if (grown > result.largest) {
      result.largest = grown;
      result.t = solution.t[next];
    }
    if (grown > 1000 && !result.first_loss) result.first_loss = solution.t[next];
    i = next;
  }
  const double tenfold = std::log(10.0);
  for (const double e : transition.exponents())
    ++(e > tenfold ? result.growing : e < -tenfold ? result.decaying : result.marginal);
  return result;
}

}  // namespace tauflex
