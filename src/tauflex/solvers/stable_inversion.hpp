// Stable inversion: the solution of the internal dynamics that stays bounded, as a boundary value
// problem over a window that is longer than what is reported. The mesh is refined where the
// solution misses its equation, and torques follow by jets.                   theory (P.15), (P.16)
#pragma once

#include "tauflex/solvers/bounded_horizon.hpp"
#include "tauflex/solvers/jets.hpp"

namespace tauflex {

// Why there is no bounded solution, in a sentence; nothing where there may be one.
std::optional<std::string> no_bounded_solution(const BoundedHorizon& horizon);

// `problem`: with the window that is reported.
std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options,
                                        const BoundedHorizon& horizon, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution);

}  // namespace tauflex
