// Paths in a job file, key task.path: one of these, or a list of them that follow each other.
//   {line: {from: [2, 0], to: [1, 1]}, duration: 0.3, profile: polynomial11}
//   {circle: {from: [2, 0], center: [1, 0], angle: 3.14, normal: [0, 1, 0]}, duration: 0.3}
//   {circle: {from: [six numbers], center: [three], ..., turn_to: [three]}, ...}  with orientation
//   {spline: {points: [[2, 0], [1, 1], [0, 0]], times: [0, 0.2, 0.5]}, smoothness: 4}
//   {spline: {points: [[2, 0], [1, 1], [0, 0]]}, duration: 0.5}      times in proportion to chords
//   {sine: {center: [0], amplitude: [0.3], frequency: 2, phase: 0}}           for all time
//   {constant_speed: {from: [0], speed: [3]}}                                 for all time
//   {samples: {file: path.csv, smoothness: 4}}                       see samples_file.hpp
//   {waypoints: {points: [..], speed: 0.5, acceleration: 2, blend: 0.05}}  see waypoints_file.hpp
//   {hold: 0.2}                                                      in a list, not first
// A point is a list in the order of the outputs, or a map by their names. In a list, `from` may be
// left out: the end of the segment before.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// Turns a point as it is said into coordinates of the path.
using PointChart = std::function<Vector(Vector)>;

// How a path is read, and what is found out while it is.
struct PathReading {
  // Continuous derivatives of segments that do not say it themselves: waypoints.
  int smoothness = 4;
  // Set when there are such segments.
  bool smoothness_is_open = false;
  // What a user should know of the path.
  std::vector<std::string> notes = {};
};

// outputs: one name per row of y. Throws InputError.
std::shared_ptr<const OutputPath> read_path(const Node& node,
                                            const std::vector<std::string>& outputs,
                                            const PointChart& chart, PathReading& reading);
std::shared_ptr<const OutputPath> read_path(const Node& node,
                                            const std::vector<std::string>& outputs,
                                            const PointChart& chart = {});

}  // namespace tauflex
