// What a robot file and the overlay of a URDF file have in common.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// drive, spring, springs, mass, com and inertia, as far as they are given; each replaces what is
// there.
void read_link_parts(const Node& node, Link& link);

// gravity replaces; frames, couplings, transmissions, constraints and springs are added.
void read_robot_parts(const Node& node, RobotDescription& robot);

}  // namespace tauflex
