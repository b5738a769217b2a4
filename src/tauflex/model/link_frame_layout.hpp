// From the bodies of a tree to the links that torques are computed with.
#pragma once

#include <vector>

#include "tauflex/model/tree.hpp"

namespace tauflex {

// One link per velocity; none at all where a joint has several axes.
std::vector<LinkFrame> lay_out_link_frames(const std::vector<Body>& bodies);

}  // namespace tauflex
