// Springs and dampers that are not part of a drive: on joints, in the directions of bearings, and
// between frames.
#pragma once

#include <vector>

#include "tauflex/model/constraint.hpp"
#include "tauflex/model/spring_matrices.hpp"
#include "tauflex/model/tree.hpp"

namespace tauflex {

struct Springs {
  // Rows and columns: velocities of the tree.
  std::vector<SpringEntry> joint;
  std::vector<HardeningEntry> joint_hardening;
  // Of the joint springs, one entry per velocity of the tree.
  Vector rest;
  std::vector<FrameSpringLayout> between_frames;
};

// All but those between frames. Throws InputError for couplings that name no springs or have
// impossible numbers.
Springs lay_out_joint_springs(const RobotDescription& robot, const Tree& tree,
                              const Coordinates& coordinates);

}  // namespace tauflex
