#include "tauflex/solvers/exact.hpp"

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/internal_series.hpp"

namespace tauflex {

std::optional<StepFailure> solve_exact(const InverseProblem& problem, const ExactOptions& options,
                                       const TimeGrid& grid, const Progress& progress,
                                       Solution& solution) {
  InternalDynamics dynamics(problem);
  InternalSeries series(dynamics);
  dynamics.set_newton(options.newton.criteria());
  InternalMotion m = dynamics.motion();
  m.q = solution.q.col(0);
  const Vector none(0);
  const StretchState unstretched;
  const double h = grid.step();
  const auto take = [&](int i, double t, Instant& now) -> std::optional<StepFailure> {
    // from where the last motion would go
    if (i > 0) move(problem.robot(), h * m.v + h * h / 2 * m.a, m.q);
    if (!dynamics.solve(t, none, none, m, 1, &solution.newton_iterations))
      return step_failure(i, dynamics, m.failure);
    if (!series.instant(t, m, unstretched, now)) return step_failure(i, dynamics, series.failure());
    return std::nullopt;
  };
  return take_steps(grid, 0, progress, take, solution);
}

}  // namespace tauflex
