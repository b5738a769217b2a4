// What a design found: for a terminal, and design.json. Keys that scripts rely on: docs/sweeps.md.
#pragma once

#include <string>

#include "tauflex/studies/design.hpp"

namespace tauflex {

std::string design_text(const Study& study, const Design& design);
std::string design_json(const Study& study, const Design& design);

}  // namespace tauflex
