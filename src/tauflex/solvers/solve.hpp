// solve(problem, method) -> Solution: any problem with any method.
#pragma once

#include "tauflex/analysis/motion_regularity.hpp"
#include "tauflex/base/progress.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// Throws ProblemError with the reason when a method does not apply to a problem.
void require_method(const InverseProblem& problem, const RestState& start, const Method& method);

// From a consistent start that is already known. A method that needs more time before and after the
// path than the problem holds takes it: Solution::window.
Solution solve(const InverseProblem& problem, const RestState& start, const Method& method,
               const Progress& progress = {});

// Finds the start first; throws ProblemError when there is none.
Solution solve(const InverseProblem& problem, const Method& method, const Progress& progress = {});

// Looks at a motion, whichever method found it, and ends it before a singular pose or a change of
// branch: status, message and columns. No method sees all of them by itself.           theory (A.7)
MotionRegularity watch_branch(const InverseProblem& problem, Solution& solution);

}  // namespace tauflex
