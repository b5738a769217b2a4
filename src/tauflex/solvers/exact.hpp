// Problems whose outputs and constraints determine every joint, with rigid drives: the answer at
// each time on its own, with exact derivatives.                                           theory
// (P.6)
//   c(q) = y_d, g(q, t) = 0;   [J; G] v = [y_d'; s'];   [J; G] vdot = [y_d'' - J' v; -gamma]
//   tau(q, v, vdot) = B u + G^T lambda
#pragma once

#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

// Whether a problem can be solved so.
bool has_exact_solution(const InverseProblem& problem);

// Fills the solution at all times of the grid, the first included.
std::optional<StepFailure> solve_exact(const InverseProblem& problem, const ExactOptions& options,
                                       const TimeGrid& grid, const Progress& progress,
                                       Solution& solution);

}  // namespace tauflex
