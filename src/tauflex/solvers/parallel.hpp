// The parallel solution scheme [Isobe2008]: torques are recovered, link by link, from the forces
// that the nodes of a frame of finite elements need for the motion. Where outputs and constraints
// determine every joint, the motion is known and only the recovery is left; joints without a drive
// and beams move by Newmark's method, with the driven joints on their paths.         theory (N.5)
#pragma once

#include "tauflex/equations/start.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// "parallel", "parallel literal"
const char* parallel_name(const ParallelOptions& options);

// Throws ProblemError with the reason when the scheme does not apply.
void require_parallel(const InverseProblem& problem, const RestState& start,
                      const ParallelOptions& options);

// Fills the solution at all times of the grid, the first included.
std::optional<StepFailure> solve_parallel(const InverseProblem& problem, const RestState& start,
                                          const ParallelOptions& options, const TimeGrid& grid,
                                          const Progress& progress, Solution& solution);

}  // namespace tauflex
