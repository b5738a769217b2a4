// Problems whose outputs and constraints determine every joint, with rigid drives: internal
// dynamics with nothing left to integrate. Each time is solved on its own, with exact derivatives.
//                                                                                    theory (P.6)
#pragma once

#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// Fills the solution at all times of the grid, the first included.
std::optional<StepFailure> solve_exact(const InverseProblem& problem, const ExactOptions& options,
                                       const TimeGrid& grid, const Progress& progress,
                                       Solution& solution);

}  // namespace tauflex
