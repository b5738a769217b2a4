// Constraints of a robot file, and springs between its frames, links or joints.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/constraint.hpp"

namespace tauflex {

Constraint read_constraint(const Node& node);

FrameSpring read_frame_spring(const Node& node);
JointSpring read_joint_spring(const Node& node);

}  // namespace tauflex
