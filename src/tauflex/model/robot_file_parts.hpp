// What a robot file and the overlay of a URDF file have in common besides their links.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// `inertia: nearest`, where it stands.
void read_inertia_rule(const Node& node, RobotDescription& robot);

// `inertia` as above; gravity replaces; frames, couplings, transmissions, constraints and springs
// are added.
void read_robot_parts(const Node& node, RobotDescription& robot);

}  // namespace tauflex
