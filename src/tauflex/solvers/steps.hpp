// Methods advance step by step; here steps become a Solution, and interruption is heard.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tauflex/base/progress.hpp"
#include "tauflex/problem/internal_dynamics.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// A grid of `steps` equal steps over a time window.
struct TimeGrid {
  double begin, end;
  int steps;
  double step() const { return (end - begin) / steps; }
  double time(int i) const { return i == steps ? end : begin + i * step(); }
};
// Steps not longer than `step`, over the window of a problem.
TimeGrid time_grid(const InverseProblem& problem, double step);

// Where and why a method gave up.
struct StepFailure {
  int step;
  // Empty: no single one.
  std::string equation;
  double residual;
  // A sentence, when the reason is known better than by a look at the path.
  std::string reason = {};

  // What failed, without the time.
  std::string sentence() const;
};

// Step i found no motion.
StepFailure step_failure(int i, const InternalDynamics& dynamics, const NoMotion& why);

// Step i, which ends at t: writes the motion and torques there.
using TakeStep = std::function<std::optional<StepFailure>(int i, double t, Instant& now)>;

// Whether the condition of Newton's matrix is looked at in step i: at some steps, and halfway.
bool shows_condition(const TimeGrid& grid, int i);
void add_condition(double t, double condition, Solution& solution);

// Takes steps first .. grid.steps and stores them. On interruption the status says so.
std::optional<StepFailure> take_steps(const TimeGrid& grid, int first, const Progress& progress,
                                      const TakeStep& take, Solution& solution);

}  // namespace tauflex
