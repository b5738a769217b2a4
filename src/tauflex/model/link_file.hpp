// A link of a robot file: its joint, drive, springs and mass.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

Link read_link(const Node& node);

// drive, spring, springs, mass, com and inertia, as far as they are given; each replaces what is
// there.
void read_link_parts(const Node& node, Link& link);

// mass, com and inertia of a link or a payload.
LinkInertia read_inertia(const Node& node);

}  // namespace tauflex
