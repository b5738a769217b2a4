// A run in a few lines for a terminal, the verified tool error first.
#pragma once

#include <string>

#include "tauflex/results/run.hpp"

namespace tauflex {

// Ends with a newline.
enum class Detail {
  // What is sent, how accurate it is, and what ordinary torques would do.
  first,
  // And how it was found: growth, method, pose, index.
  all,
};

std::string text_summary(const Record& record, Detail detail = Detail::first);

}  // namespace tauflex
