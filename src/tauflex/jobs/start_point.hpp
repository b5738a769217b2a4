// A path that starts where the robot is: `from: start` stands for the outputs with the joints at
// start.near.
#pragma once

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Replaces the word in the first segment of the path of a job by the numbers. Springs are
// unstretched there.
void fill_in_start_point(Node& job, const RobotDescription& robot);

}  // namespace tauflex
