// A node of an input file as YAML text again: the same values in the same order, without comments.
#pragma once

#include <string>

#include "tauflex/base/node.hpp"

namespace tauflex {

std::string yaml_text(const Node& node);

}  // namespace tauflex
