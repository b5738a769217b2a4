// The method of jets: only the internal dynamics are integrated, by collocation of order 9;
// velocities, accelerations, jerks and torque rates follow by Jets of the path, never by
// differences. A second run with fewer steps measures the error of the torques.       theory (P.14)
#pragma once

#include "tauflex/solvers/internal_steps.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// The motion at the times of the grid.
std::optional<StepFailure> sample(JetMotion& motion, const TimeGrid& grid, const Progress& progress,
                                  Solution& solution);
// Throws ProblemError when joints and torques do not follow from the internal dynamics.
void require_jets(const InverseProblem& problem, const RestState& start);

// An iteration that failed at a time.
StepFailure failure_at(double t, const TimeGrid& grid);
// Where and why a motion was not found.
StepFailure failure_of(const JetMotion& motion, const TimeGrid& grid);

std::optional<StepFailure> solve_by_jets(const InverseProblem& problem, const RestState& start,
                                         const JetOptions& options, const TimeGrid& grid,
                                         const Progress& progress, Solution& solution);

}  // namespace tauflex
