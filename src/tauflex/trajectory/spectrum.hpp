// Which frequencies a path excites.
#pragma once

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// rad/s: above it the spectrum of the path's accelerations, that of each output by itself, stays
// below `share` of its largest value. 0 for a path that stands still.
double highest_frequency(const OutputPath& path, double share);

}  // namespace tauflex
