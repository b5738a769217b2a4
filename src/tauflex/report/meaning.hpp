// What a run has shown, in plain sentences.
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/run.hpp"

namespace tauflex {

// What was shown, for which torque hold, and what was not shown; one paragraph each.
std::vector<std::string> meaning(const Record& record);

}  // namespace tauflex
