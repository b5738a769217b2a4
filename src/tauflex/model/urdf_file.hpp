// A robot from a URDF file: links, joints, inertias, joint limits, damping, visuals.
// The reader is strict where mechanics depend on it and lenient elsewhere: what it leaves out or
// changes is in `notes` of the description. docs/job_file.md lists what it knows.
#pragma once

#include <filesystem>

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Throws InputError, "arm.urdf:12: link hand: ...".
RobotDescription read_urdf(const std::filesystem::path& path);

}  // namespace tauflex
