// Robots that grow, for benchmarks: elastic drives followed by passive spring joints, elastic
// drives alone.
#pragma once

#include <memory>
#include <string>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/trajectory/line.hpp"

namespace tauflex {

inline Link planar_link(int index, double length) {
  Link link;
  link.name = "link" + std::to_string(index);
  if (index > 0) {
    link.joint.parent = "link" + std::to_string(index - 1);
    link.joint.X_PJ.p = {length, 0, 0};
  }
  link.joint.axis = {0, -1, 0};
  link.inertia.mass = 2;
  link.inertia.com = {length / 2, 0, 0};
  link.inertia.about_com = Matrix3::Identity() * 0.05;
  link.inertia.given = {true, true, true, false, false, false};
  return link;
}

inline Drive elastic_drive() {
  return {.rotor_inertia = 5e-3,
          .gear_ratio = 50,
          .elastic = Drive::Elasticity{.stiffness = 5e4, .damping = 50}};
}

// `driven` elastic drives carry a chain of `passive` spring joints. Two drives hold the tool where
// the chain starts; more of them follow joint angles.
inline InverseProblem chain(int passive, int driven = 2) {
  RobotDescription robot;
  for (int i = 0; i < driven + passive; ++i) {
    Link link = planar_link(i, i < driven ? 0.5 : 0.05);
    if (i == driven) link.joint.X_PJ.p = {0.5, 0, 0};
    if (i < driven)
      link.drive = elastic_drive();
    else {
      link.inertia.mass = 0.2;
      link.inertia.about_com *= 0.01;
      link.spring = Spring{.stiffness = 500, .damping = 1};
    }
    robot.links.push_back(link);
  }
  robot.frames.push_back({"tool", "link1", {Matrix3::Identity(), {0.5, 0, 0}}, ""});
  Task task;
  if (driven > 2) {
    for (int i = 0; i < driven; ++i) task.outputs.push_back("link" + std::to_string(i));
    task.path =
        std::make_shared<LinePath>(Vector::Zero(driven), Vector::Constant(driven, 0.3), 0.5, 11);
    return InverseProblem(Robot(robot), task);
  }
  task.outputs = {"tool.x", "tool.z"};
  task.path =
      std::make_shared<LinePath>(Eigen::Vector2d(0.7, 0.2), Eigen::Vector2d(0.5, 0.5), 0.5, 11);
  task.near = {{"link0", 1.0}, {"link1", -1.4}};
  return InverseProblem(Robot(robot), task);
}

// `drives` elastic drives in a row, all joint positions given.
inline InverseProblem drives(int count) {
  RobotDescription robot;
  Task task;
  for (int i = 0; i < count; ++i) {
    Link link = planar_link(i, 0.1);
    link.joint.axis = Vector3::Unit(i % 3);
    link.drive = elastic_drive();
    robot.links.push_back(link);
    task.outputs.push_back(link.name);
  }
  task.path =
      std::make_shared<LinePath>(Vector::Zero(count), Vector::Constant(count, 0.3), 0.5, 11);
  return InverseProblem(Robot(robot), task);
}

}  // namespace tauflex
