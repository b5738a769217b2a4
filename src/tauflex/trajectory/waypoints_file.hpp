// Ways by waypoints, as job files say them: straight from point to point with a speed, corners
// blended.
//   {waypoints: {points: [[0.5, 0, 0.3], {at: [0.6, 0, 0.3], blend: 0.02}, ..],
//                speed: 0.5, acceleration: 2, blend: 0.05}}
// speed is that of the place (x, y, z or along, across, above), m/s, and of every joint, rad/s or
// m/s; turn_speed that of orientations, axes and angles, which otherwise turn along.
// blend: how far from a point its corner begins to be left; tolerance instead of it: how far from
// the point the way passes. Without either, and with blend: 0, it stops there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

struct WaypointsReading {
  const std::vector<std::string>& outputs;
  // Continuous derivatives.
  int smoothness;
  // From a node to coordinates of the path.
  std::function<Vector(const Node&)> point;
  // Where the segment before ended.
  std::optional<Vector> from;
  std::vector<std::string>& notes;
};

// waypoints: the node under that key. Throws InputError.
std::shared_ptr<const OutputPath> read_waypoints_path(const Node& waypoints,
                                                      const WaypointsReading& reading);

}  // namespace tauflex
