// A line or a circle along which a task measures: outputs tool.along, tool.across and tool.above.
//   {line: {from: [x, y, z], to: [x, y, z]}, up: z}
//   {circle: {from: [x, y, z], center: [x, y, z], normal: [x, y, z]}}
// On a circle places go counter-clockwise about the normal; across points to the left and above
// along `up` or the normal.
#pragma once

#include <optional>

#include "tauflex/base/node.hpp"
#include "tauflex/math/spatial.hpp"
#include "tauflex/model/frames.hpp"

namespace tauflex {

struct Guide {
  // In the frame in which the output is meant. Line: at its beginning, x along, y across, z above.
  // Circle: at its centre, x to its beginning, z the normal.
  Pose X;
  // Of a circle, m.
  std::optional<double> radius;
};

Guide read_guide(const Node& node);

}  // namespace tauflex
