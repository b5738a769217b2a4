// The version of this program, as the file VERSION gives it.
#pragma once

#include <string>

namespace tauflex {

std::string version();

}  // namespace tauflex
