#include "tauflex/solvers/steps.hpp"

#include <algorithm>
#include <cmath>

namespace tauflex {

TimeGrid time_grid(const InverseProblem& problem, double step) {
  const double window = problem.end() - problem.begin();
  const int steps = std::max(1, static_cast<int>(std::ceil(window / step - 1e-9)));
  return {problem.begin(), problem.end(), steps};
}

namespace {

void store(const Instant& now, int i, Solution& solution) {
  solution.q.col(i) = now.q;
  solution.v.col(i) = now.v;
  solution.vdot.col(i) = now.vdot;
  solution.lambda.col(i) = now.lambda;
  solution.u.col(i) = now.u;
  solution.y.col(i) = now.y;
  solution.max_constraint_residual = std::max(solution.max_constraint_residual, now.residual);
  solution.steps = i;
}

}  // namespace

std::optional<StepFailure> take_steps(const TimeGrid& grid, int first, const Progress& progress,
                                      const TakeStep& take, Solution& solution) {
  constexpr int between = 32;  // steps from one question to the user to the next
  Instant now{solution.q.col(0),      solution.v.col(0), solution.vdot.col(0),
              solution.lambda.col(0), solution.u.col(0), solution.y.col(0)};
  for (int i = first; i <= grid.steps; ++i) {
    if (auto failure = take(i, grid.time(i), now)) return failure;
    store(now, i, solution);
    if (progress && i % between == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex
