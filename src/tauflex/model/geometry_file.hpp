// Poses, axes and directions, as all parts of a robot file write them.
#pragma once

#include <array>

#include "tauflex/base/node.hpp"
#include "tauflex/math/rotations.hpp"

namespace tauflex {

// `at` and `rpy` of a map, each 0 where it is not given.
Pose read_pose(const Node& node);

// x, y, z, -x, -y, -z or three numbers; of length 1.
Vector3 read_axis(const Node& node);

// A list of some of x, y, z, rx, ry, rz, in this order.
std::array<bool, 6> read_directions(const Node& node);

}  // namespace tauflex
