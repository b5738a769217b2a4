// Moves in joint space for tasks that speak of the tool, and points of a path by their names.
//   {joint_move: {from: P, to: P}, duration: 1}
//   {joint_waypoints: {points: [P, ..], speed: 1, acceleration: 4, blend: 0.1}}
// P is joints by name, where those left out stay where they were; or a point of the outputs, for
// which a posture is found; or `start`, where the joints are at start.near; or the name of one of
// task.points.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Replaces names of task.points in the path of a job by what they stand for.
void fill_in_named_points(Node& job);

// Replaces moves in joint space by lines and waypoints of the driven joints, which become the
// outputs. Returns what a user should know: where the tool begins and ends.
std::vector<std::string> fill_in_joint_moves(Node& job, const RobotDescription& robot);

}  // namespace tauflex
