// A folder for the files of one test, gone when the test is.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tauflex {

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::path(::testing::TempDir()) /
              ("tauflex_" + std::to_string(getpid()) + "_" + std::to_string(count()++))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

  // A message without the name of the folder.
  std::string relative(std::string sentence) const {
    const std::string prefix = path_.string() + "/";
    for (size_t at; (at = sentence.find(prefix)) != sentence.npos;)
      sentence.erase(at, prefix.size());
    return sentence;
  }

 private:
  static int& count() {
    static int made = 0;
    return made;
  }
  std::filesystem::path path_;
};

}  // namespace tauflex
