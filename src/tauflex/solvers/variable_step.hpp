// Variable step and order: SUNDIALS IDA on the form of index 1 with exact Jacobians, the algebraic
// unknowns left out of its error test; torques from the derivative array at each sample.
//                                                                                    theory (P.12)
#pragma once

#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

std::optional<StepFailure> solve_variable_step(const InverseProblem& problem,
                                               const RestState& start,
                                               const VariableStepOptions& options,
                                               const TimeGrid& grid, const Progress& progress,
                                               Solution& solution);

}  // namespace tauflex
