// What every fuzz target shares: a file that holds the bytes, and which ends are right. A reader
// takes the bytes or says what is wrong with them; every other exception, signal or report of a
// sanitizer is a fault.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tauflex/base/errors.hpp"

namespace tauflex {

// A file in memory, as long as this lives.
class MemoryFile {
 public:
  MemoryFile(const uint8_t* data, std::size_t size) : file_(memfd_create("fuzz", 0)) {
    if (write(file_, data, size) != static_cast<ssize_t>(size)) throw std::runtime_error("memory");
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

template <typename Reader>
int fuzz(Reader read) {
  try {
    read();
  } catch (const InputError&) {
    return 0;
  } catch (const ProblemError&) {
    return 0;
  }
  return 0;
}

}  // namespace tauflex
