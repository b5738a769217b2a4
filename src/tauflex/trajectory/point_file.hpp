// Points of a path as job files say them: a list, or by name; orientations in several forms.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"

namespace tauflex {

// One value per output. Numbers may have a unit that fits the name of their output.
Vector read_raw_point(const Node& node, const std::vector<std::string>& outputs);

// A rotation vector from three numbers, {rpy: [..]}, {quaternion: [w, x, y, z]} or
// {rotation_vector:
// [..]}. The word `start` gives what is not a number: a chart knows where the path starts.
Vector3 read_orientation(const Node& node);

}  // namespace tauflex
