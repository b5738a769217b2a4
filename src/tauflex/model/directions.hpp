// The six directions in which one frame can move against another: along the axes x y z of the
// first, then about them, each turning the next.
#pragma once

#include <array>

namespace tauflex {

inline constexpr std::array direction_names = {"x", "y", "z", "rx", "ry", "rz"};

}  // namespace tauflex
