// Where the mesh that a robot file names may lie: in the folder of that file, and nowhere else.
#pragma once

#include <filesystem>
#include <string>

namespace tauflex {

// The file that `name` means, a path relative to `folder` or package://<package>/<path>, where the
// package is a folder in `folder` or `folder` itself. Links of the file system are followed. Throws
// InputError, without a place, when it lies outside, does not exist or does not end in
// .stl, .obj or .dae.
std::filesystem::path find_mesh(const std::string& name, const std::filesystem::path& folder);

}  // namespace tauflex
