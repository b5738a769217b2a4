// Studies as JSON. Keys that scripts rely on: docs/files.md.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/errors.hpp"
#include "tauflex/studies/compare.hpp"
#include "tauflex/studies/fit.hpp"

namespace tauflex {

// A list, one entry per row.
std::string comparison_json(const std::vector<ComparedMethod>& rows);

// A wrong question instead of a result: {"status": "error", "exit_code": 3, "message": ".."}
std::string error_json(const Error& error);

std::string fit_json(const std::string& job, const Fit& fit);

}  // namespace tauflex
