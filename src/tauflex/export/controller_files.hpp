// References and torques of drives as controllers take them: a ROS message, arrays of C, a table.
#pragma once

#include <map>
#include <string>

#include "tauflex/export/controller_table.hpp"

namespace tauflex {

// A table whose first lines, beginning with #, say the units.
std::string controller_csv(const ControllerTable& table);

// trajectory_msgs/JointTrajectory as YAML, times from the first row on.
std::string ros_trajectory(const ControllerTable& table);

// <name>.h and <name>.c, C99: times, positions, velocities and torques, one row per sample.
// `rate`: samples per second where it is constant, else 0.
std::map<std::string, std::string> c_arrays(const ControllerTable& table, const std::string& name,
                                            double rate);

}  // namespace tauflex
