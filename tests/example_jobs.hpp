// The jobs of examples/, for tests.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/table.hpp"
#include "tauflex/jobs/pose.hpp"

namespace tauflex {

inline Job example_job(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(std::string(TAUFLEX_SOURCE_DIR "/examples/") + name + ".yaml", overrides);
}

inline Table published(const std::string& file) {
  return read_table(std::string(TAUFLEX_SOURCE_DIR "/tests/published/") + file);
}

}  // namespace tauflex
