// Backward differentiation of the inverse problem, in its two forms.
#pragma once

#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// Block by block: joints by Newton, rotors by one linear solve, torques explicitly; theory (P.2).
std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const RestState& start,
                                           const BdfOptions& options, const TimeGrid& grid,
                                           const Progress& progress, Solution& solution);

// All positions and velocities at once, on the Dae of the problem or a form of lower index.
std::optional<StepFailure> solve_monolithic(const InverseProblem& problem, const RestState& start,
                                            const BdfOptions& options, const TimeGrid& grid,
                                            const Progress& progress, Solution& solution);

}  // namespace tauflex
