// A whole file as text, for the readers of YAML and XML.
#pragma once

#include <filesystem>
#include <string>

namespace tauflex {

// Throws InputError when there is no such file, with a "did you mean", or when it is larger than
// `mebibytes`; nothing is read then.
std::string read_text_file(const std::filesystem::path& path, size_t mebibytes);

}  // namespace tauflex
