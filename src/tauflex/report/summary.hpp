// A run in a few lines for a terminal, the verified tool error first.
#pragma once

#include <string>

#include "tauflex/results/run.hpp"

namespace tauflex {

// Ends with a newline.
std::string text_summary(const Record& record);

}  // namespace tauflex
