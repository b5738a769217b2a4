// What a study found, for a terminal.
#pragma once

#include <string>

#include "tauflex/studies/sweep.hpp"

namespace tauflex {

std::string sweep_text(const Study& study, const VariedJob& job, const Sweep& sweep);

}  // namespace tauflex
