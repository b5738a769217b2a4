// summary.json of a study. Keys that scripts rely on: docs/sweeps.md.
#pragma once

#include <string>

#include "tauflex/studies/sweep.hpp"

namespace tauflex {

std::string sweep_json(const Study& study, const VariedJob& job, const Sweep& sweep);

}  // namespace tauflex
