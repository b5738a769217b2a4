// The same path, with its time bent so that the robot ends at rest: no internal motion is left.
// Least bending, found by the secant method on the solution itself.                  theory (R.4)
#pragma once

#include <memory>
#include <string>

#include "tauflex/jobs/pose.hpp"

namespace tauflex {

struct RestShape {
  std::shared_ptr<const OutputPath> path;
  // What was done; empty: nothing, and the path is the one that was posed.
  std::string sentence;
};

// `posed` has an answer. Throws ProblemError when there is no such shape.
RestShape shape_to_rest(const Posed& posed);

}  // namespace tauflex
