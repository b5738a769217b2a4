// Rules that a robot must obey, each broken rule one sentence.
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

// "arm.yaml:12: robot.links.hand" or "link 'hand'"
std::string place(const Link& link);

// Numbers of one link: finite, mass not negative, inertia positive definite, axis not zero, ...
void check_link(const Link& link);

// A rotation and a finite position; `place` starts the sentence.
void check_pose(const Pose& pose, const std::string& place);

// Symmetric matrices whose smallest eigenvalue is not negative beyond rounding.
bool is_positive_semidefinite(const Matrix& matrix);

// No inertia entry that the tree's joints can excite may be left out.
void check_inertia_given(const Robot& robot);

}  // namespace tauflex
