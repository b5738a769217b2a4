// What the errors that a method states mean for its answer: torques and a motion that may be off by
// more than a twentieth of their own size (largest_known_share) are not known, whatever the tool
// does.       theory (S.2)
#pragma once

#include <optional>
#include <string>

#include "tauflex/model/robot.hpp"
#include "tauflex/problem/solution.hpp"
#include "tauflex/solvers/step_error.hpp"

namespace tauflex {

// Whether the torque of a drive is known to a twentieth of its peak, as far as the method states
// errors. A drive that could move nothing by more than `negligible` (rad or m) always is.
bool torque_is_known(const Robot& robot, const Solution& solution, int drive, double negligible);

// Largest minus smallest value of each coordinate of q.
Vector ranges(const Matrix& q);

// The drive, or else the coordinate, whose error is too large, with error, peak and what to do, in
// a sentence; nothing when all are known.
std::optional<std::string> unknown_torque(const Robot& robot, const Solution& solution,
                                          double negligible);

}  // namespace tauflex
