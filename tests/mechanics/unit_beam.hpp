// The beam that tests of beams start from.
#pragma once

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// A beam along x of length 1, mass 1 and EI = 1, clamped or on a joint about z, with a frame "tip".
inline RobotDescription unit_beam(int elements, JointType joint = JointType::fixed) {
  RobotDescription robot;
  robot.gravity.setZero();
  Link link;
  link.name = "arm";
  link.joint.type = joint;
  link.beam = Beam{};
  link.beam->to = {1, 0, 0};
  link.beam->mass_per_length = 1;
  link.beam->EI_y = 1;
  link.beam->elements = elements;
  robot.links.push_back(link);
  robot.frames.push_back({"tip", "arm", {Matrix3::Identity(), {1, 0, 0}}, ""});
  return robot;
}

// A mass of m kg that is fixed to the beam's end at x.
inline void fix_mass_to_end(RobotDescription& robot, double m, double x = 1) {
  Link mass;
  mass.name = "mass";
  mass.joint.parent = "arm";
  mass.joint.type = JointType::fixed;
  mass.joint.X_PJ.p = {x, 0, 0};
  mass.inertia.mass = m;
  mass.inertia.given.fill(true);
  robot.links.push_back(mass);
}

}  // namespace tauflex
