// The `robot` part of a job file, or a robot file of its own.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// A map with the robot in it, or the name of a file that holds one (relative to the job file).
RobotDescription read_robot(const Node& node);

}  // namespace tauflex
