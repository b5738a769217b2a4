// What xacro leaves in URDF files that need not be expanded, told apart from what it has to expand.
#pragma once

#include <filesystem>

#include "tauflex/base/xml_element.hpp"
#include "tauflex/model/urdf_notes.hpp"

namespace tauflex {

// Throws InputError, with the command that expands the file, where a link, a joint or a number
// would come of xacro. Properties and arguments that no link and no joint uses, macros that nobody
// calls and files that are included for nothing else are noted.
void require_expanded(const XmlElement& robot, const std::filesystem::path& path, UrdfNotes& notes);

}  // namespace tauflex
