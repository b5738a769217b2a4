#include "small_robot.hpp"

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"

namespace tauflex {

Link revolute(const std::string& name, const std::string& parent) {
  Link link;
  link.name = name;
  link.joint.parent = parent;
  link.inertia.mass = 1;
  link.inertia.about_com = Vector3(1, 1, 1).asDiagonal();
  link.inertia.given.fill(true);
  return link;
}

RobotDescription small_robot() {
  RobotDescription robot;
  robot.links = {revolute("base", "world"), revolute("arm", "base"), revolute("hand", "arm"),
                 revolute("tip", "hand")};
  robot.links[0].drive = Drive{.rotor_inertia = 0.1, .gear_ratio = 10, .friction = 0.5};
  robot.links[1].drive = Drive{.rotor_inertia = 0.2,
                               .gear_ratio = 5,
                               .friction = 0.25,
                               .elastic = Drive::Elasticity{.stiffness = 1000, .damping = 10}};
  robot.links[1].joint.axis = {0, 2, 0};
  robot.links[1].joint.lowest = -2;
  robot.links[1].joint.highest = 1;
  robot.links[2].joint.type = JointType::prismatic;
  robot.links[2].spring = {500, 5, 0.1};
  robot.links[3].joint.type = JointType::fixed;
  robot.frames = {{"tool", "tip", {Matrix3::Identity(), {0.1, 0, 0}}, ""},
                  {"bench", "world", {}, ""}};
  return robot;
}

Link& link(RobotDescription& robot, const std::string& name) {
  for (Link& candidate : robot.links)
    if (candidate.name == name) return candidate;
  throw std::logic_error(name);
}

std::string message(const RobotDescription& description) {
  try {
    const Robot robot(description);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::invalid_input);
    return error.what();
  }
  return "no error";
}

std::string message_after(const std::function<void(RobotDescription&)>& change) {
  RobotDescription robot = small_robot();
  change(robot);
  return message(robot);
}

std::string arm_message_after(const std::function<void(Link&)>& change) {
  return message_after([&](RobotDescription& robot) { change(link(robot, "arm")); });
}

Matrix symmetric() {
  Matrix K(2, 2);
  K << 10, 1, 1, 20;
  return K;
}

}  // namespace tauflex
