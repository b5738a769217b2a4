// Rules that the numbers of a robot must obey, each broken rule one sentence of an InputError.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/tree.hpp"

namespace tauflex {

// Numbers of one link: finite, mass not negative, inertia positive definite, axis not zero, ...
void check_link(const Link& link, const std::vector<Link>& links);

// A rotation and a finite position; `place` starts the sentence.
void check_pose(const Pose& pose, const std::string& place);

// No inertia entry that the tree's joints can excite may be left out.
void check_inertia_given(const std::vector<Link>& links, const Tree& tree);

}  // namespace tauflex
