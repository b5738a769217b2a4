// Several files of one folder, all or nothing.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tauflex {

// Writes all files (name -> content) or none; an earlier result stays when something goes wrong.
// Throws InputError when the folder cannot be written.
void write_files(const std::filesystem::path& folder,
                 const std::map<std::string, std::string>& files);

}  // namespace tauflex
