// A whole file as text, for the readers of YAML and XML.
#pragma once

#include <filesystem>
#include <string>

namespace tauflex {

// Throws InputError when there is no such file, with a "did you mean", or when it is larger than
// `mebibytes`; nothing is read then.
std::string read_text_file(const std::filesystem::path& path, size_t mebibytes);

// Whether a file is XML rather than YAML: its first sign is '<'. False where it cannot be read.
bool is_xml_file(const std::filesystem::path& path);

}  // namespace tauflex
