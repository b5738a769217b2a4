// The tool's path and the robot along it.
#pragma once

#include <optional>

#include "tauflex/report/svg_chart.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

// The tool's way in the plane in which it moves most, wanted and done, with the robot as a stick
// figure where it fits; none unless two components of one frame are outputs.
std::optional<Chart> tool_path_chart(const Record& record);

}  // namespace tauflex
