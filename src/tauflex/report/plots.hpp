// The curves of a run over time, for a page that draws them: torques with their limits, motion of
// joints and rotors, deflections, errors, forces; and zeros along the path. Thinned so that the
// drawn lines look the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

struct PlotLine {
  std::string name;
  Vector y;
  // Lines of one colour belong together: a joint and its rotor, a torque and its limit.
  int colour = 0;
  bool dashed = false;
  // Not drawn until the reader asks for it.
  bool hidden = false;
};

struct PlotLevel {
  std::string name;
  double y = 0;
  // -1: a colour of its own
  int colour = -1;
};

struct Plot {
  std::string title;
  // Of y.
  std::string unit = {};
  bool logarithmic = false;
  // s: time, or where it is named something else
  Vector t = {};
  std::string x_name = {};
  std::vector<PlotLine> lines = {};
  std::vector<PlotLevel> levels = {};
};

std::vector<Plot> plots(const Record& record);
std::vector<Plot> plots(const FreeRun& run);

}  // namespace tauflex
