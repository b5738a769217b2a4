// Stable inversion: the solution of the internal dynamics that stays bounded, as a boundary value
// problem over the whole window. The mesh is refined where the solution misses its equation, and
// torques follow by jets.                                                              theory
// (P.15)
#pragma once

#include "tauflex/solvers/jets.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// The holds that stable inversion needs: until what grows began, and what decays has decayed, to
// 1e-10; at most 0.5 s unless asked for, and never less than those of the task.
Window stable_inversion_window(const InverseProblem& problem, const RestState& start,
                               const StableInversionOptions& options);

// Solves within the window that the problem has.
std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution);

}  // namespace tauflex
