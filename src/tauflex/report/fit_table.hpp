// The trials of a fit, as a table for a terminal.
#pragma once

#include <string>

#include "tauflex/studies/fit.hpp"

namespace tauflex {

std::string fit_text(const std::string& job, const Fit& fit);

}  // namespace tauflex
