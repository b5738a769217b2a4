// Which loops over lanes this processor can run.
#pragma once

#include <span>

#include "tauflex/mechanics/derivative_lanes.hpp"
#include "tauflex/mechanics/torque_lanes.hpp"

namespace tauflex {

// In increasing order; 1 is the scalar code.
std::span<const int> lane_widths();
// The narrowest with a lane for each of `count`, else the widest; at least 2.
int lane_width_for(int count);

// By one of lane_widths() but 1.
TorqueLanes torque_lanes(int lanes);
DerivativeLanes derivative_lanes(int lanes);

}  // namespace tauflex
