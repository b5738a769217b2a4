#include "tauflex/planning/rest_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/trajectory/warped.hpp"

namespace tauflex {

namespace {

constexpr int spare_terms = 4;       // beyond one for each position and velocity that shall rest
constexpr double probe = 5e-3;       // first change of a coefficient
constexpr double at_rest = 1e-8;     // of what was left before
constexpr double resting = 1e-3;     // the same, still worth an answer
constexpr double negligible = 1e-4;  // rad or m, worth one in any case
constexpr double weakest = 1e-4;     // of the strongest: what moves r less is not tried
constexpr int most_steps = 20;

// What is left at the end of a bent path: deviations of joints without a drive from rest, and their
// velocities over the speed of the slowest internal motion. Not finite where it is not solved.
class EndState {
 public:
  EndState(const Posed& posed, double speed) : posed_(posed), speed_(speed) {}

  std::shared_ptr<const WarpedPath> path(const Vector& c) const {
    return std::make_shared<WarpedPath>(posed_.problem.task().path, c);
  }

  Vector operator()(const Vector& c) const {
    const InverseProblem& problem = posed_.problem;
    const RestState& rest = posed_.points.back().state;
    const auto& rows = problem.passive_rows();
    const auto n = static_cast<Eigen::Index>(rows.size());
    Vector r = Vector::Constant(2 * n, std::numeric_limits<double>::quiet_NaN());
    Task task = problem.task();
    const auto bent = path(c);
    if (!bent->is_monotone()) return r;
    task.path = bent;
    task.hold_after = 0;
    const Solution s = solve(InverseProblem(problem.robot(), task), posed_.start, posed_.method);
    if (s.status != Status::solved) return r;
    const Eigen::Index last = s.t.size() - 1;
    Vector dq(problem.robot().nv());
    velocity_of_rate<double>(problem.robot(), rest.q, s.q.col(last) - rest.q, dq);
    r << dq(rows), s.v.col(last)(rows) / speed_;
    return r;
  }

 private:
  const Posed& posed_;
  double speed_;
};

// Of the slowest internal motion at the start, 1/s.
double slowest(const Posed& posed) {
  double speed = std::numeric_limits<double>::infinity();
  for (const auto& zero : posed.diagnosis.zeros)
    if (std::abs(zero) > 0) speed = std::min(speed, std::abs(zero));
  return std::isinf(speed) ? 1 / posed.problem.path().duration() : speed;
}

// The shortest x with J x = r, as far as J has an effect.
Vector shortest_step(const Matrix& J, const Vector& r) {
  const Svd s = svd(J);
  Vector x = Vector::Zero(J.cols());
  for (Eigen::Index i = 0; i < s.sigma.size() && s.sigma[i] > weakest * s.sigma[0]; ++i)
    x += s.V.col(i) * (s.U.col(i).dot(r) / s.sigma[i]);
  return x;
}

// Broyden's method, steps of least length. The first slopes are secants of one trial each.
Vector least_bending(const EndState& end_state, Vector& r, int terms) {
  Vector c = Vector::Zero(terms);
  Matrix J(r.size(), terms);
  for (int k = 0; k < terms; ++k)
    J.col(k) = (end_state(probe * Vector::Unit(terms, k)) - r) / probe;
  if (!J.allFinite()) return c;
  const double before = r.norm();
  for (int step = 0; step < most_steps && r.norm() > at_rest * before; ++step) {
    Vector dc = -shortest_step(J, r), tried;
    bool better = false;
    for (int cut = 0; cut < 6 && !better; ++cut) {
      if (cut > 0) dc *= 0.5;
      tried = end_state(c + dc);
      better = tried.allFinite() && tried.norm() < r.norm();
    }
    if (!better) break;
    J += (tried - r - J * dc) * dc.transpose() / dc.squaredNorm();
    c += dc;
    r = tried;
  }
  return c;
}

}  // namespace

RestShape shape_to_rest(const Posed& posed) {
  const InverseProblem& problem = posed.problem;
  const std::string where = problem.task().where + ": task.shape: ";
  if (problem.robot().constraint_count() > 0)
    throw ProblemError(where + "rest is for robots without constraints");
  const RestShape unchanged{problem.task().path, ""};
  if (problem.passive_rows().empty()) return unchanged;  // nothing rings
  if (std::holds_alternative<StableInversionOptions>(posed.method))
    throw ProblemError(where +
                       "rest is for robots that are minimum phase; stable inversion ends at "
                       "rest by itself, after the path");
  const EndState end_state(posed, slowest(posed));
  const auto rests = static_cast<int>(2 * problem.passive_rows().size());
  const int terms = rests + spare_terms;
  Vector r = end_state(Vector::Zero(terms));
  if (!r.allFinite() || r.norm() == 0) return unchanged;  // the run itself says why
  const double before = r.norm();
  const Vector c = least_bending(end_state, r, terms);
  if (r.norm() > std::max(resting * before, negligible))
    throw ProblemError(fmt::format(
        "{}no bending of the path's time was found that ends at rest; the best one leaves internal "
        "motion of {:.2g} rad or m, the path as given {:.2g}; take a longer duration",
        where, r.norm(), before));
  return {end_state.path(c),
          fmt::format("the path is bent in time to end at rest: {:.2g} rad or m would ring, {:.2g} "
                      "are left; coefficients {:.4g} at most",
                      before, r.norm(), c.cwiseAbs().maxCoeff())};
}

}  // namespace tauflex
