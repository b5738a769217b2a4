#include "tauflex/base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"

namespace tauflex {

std::string missing_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return "";
  std::vector<std::string> neighbours;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  // Equal endings make no two names alike.
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (const std::string stem[] = {entry.path().stem().string()};
        closest(path.stem().string(), stem))
      neighbours.push_back(entry.path().filename().string());
  std::sort(neighbours.begin(), neighbours.end());
  return "no such file" + did_you_mean(path.filename().string(), neighbours);
}

std::string read_text_file(const std::filesystem::path& path, size_t mebibytes) {
  std::error_code failed;
  if (const std::string missing = missing_file(path); !missing.empty())
    throw InputError(path.string() + ": " + missing);
  if (std::filesystem::is_directory(path, failed))
    throw InputError(path.string() + ": is a folder, not a file");
  const auto check_size = [&](std::uintmax_t size) {
    if (size > mebibytes << 20)
      throw InputError(fmt::format("{}: larger than {} MiB", path.string(), mebibytes));
  };
  const auto size = std::filesystem::file_size(path, failed);
  if (!failed) check_size(size);  // pipes have none
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string() + ": cannot be read");
  std::string text;
  for (char block[1 << 16]; file.read(block, sizeof block) || file.gcount() > 0;) {
    text.append(block, static_cast<size_t>(file.gcount()));
    check_size(text.size());
  }
  return text;
}

bool write_whole_file(const std::filesystem::path& path,
                      const std::function<void(std::ostream&)>& write) {
  std::filesystem::path draft = path;
  draft += ".draft";
  std::error_code failed;
  try {
    std::ofstream file(draft, std::ios::binary);
    write(file);
    file.close();
    if (file) std::filesystem::rename(draft, path, failed);
    if (file && !failed) return true;
  } catch (...) {
    std::filesystem::remove(draft, failed);
    throw;
  }
  std::filesystem::remove(draft, failed);
  return false;
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
  if (!write_whole_file(path, [&](std::ostream& file) { file << text; }))
    throw InputError(path.string() +
                     ": cannot be written: no such folder, no permission or no space left");
}

bool is_xml_file(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  std::ifstream file(path, std::ios::binary);
  for (char c; file.get(c);)
    if (std::string_view(" \t\r\n\xEF\xBB\xBF").find(c) == std::string_view::npos) return c == '<';
  return false;
}

}  // namespace tauflex
