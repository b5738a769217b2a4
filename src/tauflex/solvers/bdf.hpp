// Backward differentiation of the inverse problem, in its two forms.
#pragma once

#include <memory>

#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// Block by block: joints by Newton, rotors by one linear solve, torques explicitly; theory (P.2).
// One step after the other, each from the times before it only; the robot was at rest before the
// first. Steps do not allocate.
class BlockwiseSteps {
 public:
  BlockwiseSteps(const InverseProblem& problem, const RestState& start, const BdfOptions& options,
                 double h);
  BlockwiseSteps(BlockwiseSteps&&) noexcept;
  BlockwiseSteps& operator=(BlockwiseSteps&&) noexcept;
  ~BlockwiseSteps();

  // Step i, from t - h to t; y: what the outputs shall be then. After a failure the past is what it
  // was before.
  std::optional<StepFailure> step(int i, double t, const VectorRef& y, Instant& now,
                                  long& iterations);

 private:
  class Stepper;
  std::unique_ptr<Stepper> stepper_;
};

// The same over the window of a problem.
std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const RestState& start,
                                           const BdfOptions& options, const TimeGrid& grid,
                                           const Progress& progress, Solution& solution);

// All positions and velocities at once, on the Dae of the problem or a form of lower index.
std::optional<StepFailure> solve_monolithic(const InverseProblem& problem, const RestState& start,
                                            const BdfOptions& options, const TimeGrid& grid,
                                            const Progress& progress, Solution& solution);

}  // namespace tauflex
