// A motion in the files of one format.
#pragma once

#include <map>
#include <string>

#include "tauflex/export/export_options.hpp"
#include "tauflex/export/exported_motion.hpp"

namespace tauflex {

// File name -> content. Throws InputError for units that the robot does not have, and for a robot
// that the format cannot describe.
std::map<std::string, std::string> export_files(const ExportedMotion& motion,
                                                const ExportOptions& options);

}  // namespace tauflex
