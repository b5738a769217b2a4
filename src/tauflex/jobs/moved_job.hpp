// A job as text in another folder, where it still finds its files.
#pragma once

#include <filesystem>
#include <string>

#include "tauflex/base/node.hpp"

namespace tauflex {

// The job as YAML, names of files relative to `folder`; empty: to the working directory.
std::string moved_job(const Node& job, const std::filesystem::path& folder);

}  // namespace tauflex
