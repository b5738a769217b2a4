// The trials of a fit, as text and as JSON.
#pragma once

#include <string>

#include "tauflex/studies/fit.hpp"

namespace tauflex {

std::string fit_text(const std::string& job, const Fit& fit);
std::string fit_json(const std::string& job, const Fit& fit);

}  // namespace tauflex
