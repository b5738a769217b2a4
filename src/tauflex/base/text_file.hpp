// Text files, read and written as a whole.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

namespace tauflex {

// "no such file; did you mean 'arm.urdf'?"; empty when there is one.
std::string missing_file(const std::filesystem::path& path);

// Throws InputError when there is no such file, with a "did you mean", or when it is larger than
// `mebibytes`; nothing is read then.
std::string read_text_file(const std::filesystem::path& path, size_t mebibytes);

// All or nothing: a file of this name stays as it was until the new one is complete.
// Throws InputError where it cannot be written.
void write_text_file(const std::filesystem::path& path, const std::string& text);

// The same of bytes that are written piece by piece; false where it cannot be written.
bool write_whole_file(const std::filesystem::path& path,
                      const std::function<void(std::ostream&)>& write);

// Whether a file is XML rather than YAML: it begins with '<'. False where it cannot be read.
bool is_xml_file(const std::filesystem::path& path);

}  // namespace tauflex
