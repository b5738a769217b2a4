// Stable inversion: the solution of the internal dynamics that stays bounded, as a boundary value
// problem over the whole window. The mesh is refined where the solution misses its equation, and
// torques follow by jets.                                                              theory
// (P.15)
#pragma once

#include "tauflex/solvers/jets.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// The problem with as much time before and after the path as a method needs: for stable inversion
// until what grows began, and what decays has decayed, to 1e-10; at most 0.5 s unless asked for.
InverseProblem with_window(const InverseProblem& problem, const RestState& start,
                           const Method& method);

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution);

}  // namespace tauflex
