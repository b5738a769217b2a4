// A robot of four links that tests change and break.
#pragma once

#include <functional>
#include <string>

#include "tauflex/model/robot.hpp"

namespace tauflex {

Link revolute(const std::string& name, const std::string& parent);
// base (rigid drive) - arm (elastic drive) - hand (spring), and a fixed tip.
RobotDescription small_robot();
Link& link(RobotDescription& robot, const std::string& name);
// What is said of it, or "no error".
std::string message(const RobotDescription& description);
std::string message_after(const std::function<void(RobotDescription&)>& change);
// The same, for a change of link "arm".
std::string arm_message_after(const std::function<void(Link&)>& change);
// A stiffness of two springs that hang together.
Matrix symmetric();

}  // namespace tauflex
