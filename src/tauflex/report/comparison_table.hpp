// Methods side by side, as a table for a terminal.
#pragma once

#include <string>
#include <vector>

#include "tauflex/studies/compare.hpp"

namespace tauflex {

std::string comparison_text(const std::string& job, const std::vector<ComparedMethod>& rows);

}  // namespace tauflex
