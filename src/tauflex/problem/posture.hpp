// Arms with more drives than outputs, and no constraints that would share the load: some joints
// keep their posture, so that the motion is unique.                                  theory (P.9)
#pragma once

#include <string>

#include "tauflex/problem/task.hpp"

namespace tauflex {

struct Posture {
  // With the joints that are held as further outputs.
  Task task;
  // Which, and where; empty when nothing had to be held.
  std::string sentence;
  // Driven joints x k, orthonormal: motions that leave the outputs, at the start.
  Matrix self_motion;
};

// Holds the joints that take part most in the self-motion where `start.near` puts the arm on its
// path, or where its best posture is when nothing was named or that does not lead there. Returns
// the task as it is when outputs and drives fit, or when there are constraints.
Posture hold_posture(const Robot& robot, const Task& task);

}  // namespace tauflex
