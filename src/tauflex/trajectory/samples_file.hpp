// Paths from elsewhere: logs and planned motions in tables, and ROS JointTrajectory files.
//   {samples: {file: path.csv, smoothness: 4}}       through every sample
//   {samples: {file: log.csv, tolerance: 20e-6}}     smooth, this near to every sample
//   {samples: {file: log.csv, smoothing: auto}}      as smooth as the samples suggest
// The time is a column t, time, timestamp or stamp, in s or as its name says (time_ms, time [ms]);
// an output is a column of its name, or y.<name>, yd.<name>, q.<name> as tauflex writes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// samples: the node under that key. chart: turns a point as it is said into coordinates of the
// path. notes: what was done to the samples, and what a user should know of them. Throws
// InputError.
std::shared_ptr<const OutputPath> read_samples_path(const Node& samples,
                                                    const std::vector<std::string>& outputs,
                                                    const std::function<Vector(Vector)>& chart,
                                                    std::vector<std::string>& notes);

}  // namespace tauflex
