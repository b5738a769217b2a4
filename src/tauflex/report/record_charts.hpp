// The charts of a run over time: torques, outputs and tool error.
#pragma once

#include <optional>
#include <vector>

#include "tauflex/report/svg_chart.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

// u(t), one line per drive, its peak marked; one chart for N m and one for N.
std::vector<Chart> torque_charts(const Record& record);

// y(t) over y_d(t); one chart each for m, rad and N.
std::vector<Chart> output_charts(const Record& record);

// Distance of the simulated tool from its path, with the tolerance; none without a proof or outputs
// that move.
std::optional<Chart> tool_error_chart(const Record& record);

}  // namespace tauflex
