// Methods side by side, as a table for a terminal and as JSON.
#pragma once

#include <string>
#include <vector>

#include "tauflex/studies/compare.hpp"

namespace tauflex {

std::string comparison_text(const std::string& job, const std::vector<ComparedMethod>& rows);
std::string comparison_json(const std::vector<ComparedMethod>& rows);  // a list, one entry per row

}  // namespace tauflex
