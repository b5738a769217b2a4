// The verdict of an analysis for a terminal: yes or no first, then the numbers, then what to
// change.
#pragma once

#include <string>

#include "tauflex/results/solvability.hpp"

namespace tauflex {

std::string solvability_text(const std::string& job, const Solvability& result);

}  // namespace tauflex
