// What a URDF file cannot say about a robot: drives, springs, frames, constraints. The overlay is
// the `elastic` part of `robot: {urdf: arm.urdf, elastic: arm.elastic.yaml}`.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// A map, or the name of a file that holds one (relative to the file it is named in). Links may be
// called by their names or by those of their joints. Throws InputError.
void read_overlay(const Node& node, RobotDescription& robot);

}  // namespace tauflex
