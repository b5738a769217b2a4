// A file that another one names.
#pragma once

#include <filesystem>

#include "tauflex/base/node.hpp"

namespace tauflex {

// Relative to the folder of the file that names it. Throws InputError at its place there when there
// is none: "arm.yaml:3: robot.urdf: amr.urdf: no such file; did you mean 'arm.urdf'?"
std::filesystem::path named_file(const Node& name);

}  // namespace tauflex
