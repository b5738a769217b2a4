// Points of a path as job files say them: a list, or by name; orientations in several forms.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/trajectory/output_name.hpp"

namespace tauflex {

// One value per output. Numbers may have a unit that fits the name of their output.
Vector read_raw_point(const Node& node, const std::vector<std::string>& outputs);

// The rows of an orientation or of an axis from any of their forms. The word `start` gives what is
// not a number: a chart knows where the path starts.
Vector read_parts(const Node& node, const OutputParts& parts);

// A rotation vector from three numbers, from {rpy: [..]}, {quaternion: [w, x, y, z]} or
// {rotation_vector: [..]}.
Vector3 read_orientation(const Node& node);

}  // namespace tauflex
