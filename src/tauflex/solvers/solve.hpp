// solve(problem, method) -> Solution: any problem with any method.
#pragma once

#include "tauflex/base/progress.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/start.hpp"
#include "tauflex/solvers/method.hpp"
#include "tauflex/solvers/solution.hpp"

namespace tauflex {

// From a consistent start that is already known.
Solution solve(const InverseProblem& problem, const RestState& start, const Method& method,
               const Progress& progress = {});

// Finds the start first; throws ProblemError when there is none.
Solution solve(const InverseProblem& problem, const Method& method, const Progress& progress = {});

}  // namespace tauflex
