// A run as one stand-alone picture for a web page or a talk: tool path, torques and tool error.
#pragma once

#include <string>

#include "tauflex/results/run.hpp"

namespace tauflex {

// An SVG file on a light ground.
std::string picture_svg(const Record& record);

}  // namespace tauflex
