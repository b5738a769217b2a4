// How a long computation tells how far it is, and is told to stop.
#pragma once

#include <functional>

namespace tauflex {

// Called now and then with the fraction done, 0 .. 1; returns false to stop.
using Progress = std::function<bool(double fraction)>;

// The same of a computation in stages, such as "solving" and "verifying".
using StageProgress = std::function<bool(const char* stage, double fraction)>;

// That of one stage; refers to both arguments.
inline Progress of_stage(const StageProgress& progress, const char* stage) {
  if (!progress) return {};
  return [&progress, stage](double fraction) { return progress(stage, fraction); };
}

}  // namespace tauflex
