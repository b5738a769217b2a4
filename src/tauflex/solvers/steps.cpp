#include "tauflex/solvers/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/sizes.hpp"

namespace tauflex {

TimeGrid time_grid(const InverseProblem& problem, double step) {
  const double window = problem.end() - problem.begin();
  const double count = std::ceil(window / step - 1e-9);
  const Robot& robot = problem.robot();
  require_room(fmt::format("{}: the task's {:.6g} s in steps of {:.3g} s (key step of the method)",
                           problem.task().where, window, step),
               count,
               1 + robot.nq() + 2 * robot.nv() +
                   static_cast<double>(robot.actuation().drives.size()) + robot.constraint_count() +
                   problem.output_count());
  const int steps = std::max(1, static_cast<int>(count));
  return {problem.begin(), problem.end(), steps};
}

std::string StepFailure::sentence() const {
  if (!reason.empty()) return reason;
  if (equation.empty()) return "Newton failed";
  return fmt::format("Newton failed in equation '{}'{}", equation,
                     residual != 0 ? fmt::format(" (off by {:.3g})", residual) : "");
}

StepFailure step_failure(int i, const InternalDynamics& dynamics, const NoMotion& why) {
  return {i, why.row < 0 ? "" : dynamics.rows().name(why.row), why.value, why.reason};
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

bool shows_condition(const TimeGrid& grid, int i) {
  constexpr long places = 64;
  return i == (grid.steps + 1) / 2 || places * i / grid.steps != places * (i - 1) / grid.steps;
}

void add_condition(double t, double condition, Solution& solution) {
  const Eigen::Index n = solution.conditions.cols();
  solution.conditions.conservativeResize(2, n + 1);
  solution.conditions.col(n) << t, condition;
}

std::optional<StepFailure> take_steps(const TimeGrid& grid, int first, const Progress& progress,
                                      const TakeStep& take, Solution& solution) {
  constexpr int between = 32;  // steps from one question to the user to the next
  Instant now{solution.q.col(0),      solution.v.col(0), solution.vdot.col(0),
              solution.lambda.col(0), solution.u.col(0), solution.y.col(0)};
  for (int i = first; i <= grid.steps; ++i) {
    const long before = solution.newton_iterations;
    if (auto failure = take(i, grid.time(i), now)) return failure;
    store(now, i, solution);
    if (solution.newton_iterations > before) {
      if (solution.iterations.size() == 0) solution.iterations = Vector::Zero(grid.steps + 1);
      solution.iterations[i] = static_cast<double>(solution.newton_iterations - before);
    }
    if (progress && i % between == 0 && !progress(static_cast<double>(i) / grid.steps)) {
      solution.status = Status::interrupted;
      break;
    }
  }
  return std::nullopt;
}

}  // namespace tauflex
