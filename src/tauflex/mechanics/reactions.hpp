// What every joint transmits: the wrench of its parent on the link, drive and spring torques about
// its axis included; trees and loops alike.
//   f_i = sum over the carried bodies of (inertia forces - what constraints and springs between
//         frames put on them)                                                          theory (C.7)
#pragma once

#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

enum class ReactionFrame {
  world,
  // Axes of the joint frame, fixed to the parent.
  joint,
  // Axes of the link.
  link,
};

struct Reaction {
  Vector3 force;  // N
  // N m, about the origin of the link frame
  Vector3 moment;
};

// One per link, in the robot's order. A motion of the tree; lambda of its constraints. The robot
// must not be linearised: its constant mass matrix has no bodies.
void joint_reactions(const Robot& robot, MechanicsData& data, const VectorRef& q,
                     const VectorRef& v, const VectorRef& vdot, const VectorRef& lambda,
                     ReactionFrame frame, std::vector<Reaction>& reactions);

}  // namespace tauflex
