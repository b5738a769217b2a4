#include "tauflex/results/write_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "tauflex/base/errors.hpp"

namespace tauflex {

void write_files(const std::filesystem::path& folder,
                 const std::map<std::string, std::string>& files) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), why));
  };
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(error.message());
  for (const auto& [name, content] : files)
    if (fs::is_directory(folder / name, error)) refuse(name + " is a folder");
  const fs::path draft = folder / fmt::format(".draft-{}", getpid());
  fs::create_directory(draft, error);
  if (error) refuse(error.message());
  struct Cleaner {
    fs::path path;
    ~Cleaner() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } cleaner{draft};
  for (const auto& [name, content] : files) {
    std::ofstream file(draft / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    if (!file) refuse("no space left or no permission for " + name);
  }
  for (const auto& [name, content] : files) {
    fs::rename(draft / name, folder / name, error);
    if (error) refuse(error.message());
  }
}

}  // namespace tauflex
