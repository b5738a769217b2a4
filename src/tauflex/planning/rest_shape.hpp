// The same path, with its time bent so that the robot ends at rest: no internal motion is left.
// Least bending, found by the secant method on the solution itself.                  theory (R.4)
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

struct RestShape {
  std::shared_ptr<const OutputPath> path;
  std::string sentence;  // what was done
};

// Throws ProblemError when there is no such shape.
RestShape shape_to_rest(const InverseProblem& problem, const RestState& start,
                        const std::optional<Method>& method);

}  // namespace tauflex
