// How far a computation is of which each stage is a part.
#pragma once

#include "tauflex/base/progress.hpp"

namespace tauflex {

// For a part from `begin` to `end` of the whole, 0 .. 1; refers to its first argument.
inline StageProgress part_of(const StageProgress& progress, double begin, double end) {
  if (!progress) return {};
  return [&progress, begin, end](const char* stage, double fraction) {
    return progress(stage, begin + fraction * (end - begin));
  };
}

}  // namespace tauflex
