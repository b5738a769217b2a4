// Line charts as SVG: series over labelled axes with nice ticks and a legend. Small enough for a
// page of any run: lines are decimated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

enum class Weight {
  line,
  thin,
  band,  // wide and pale, for what lies under another line
  limb,  // of a stick figure
};

struct Series {
  std::string name;  // in the legend; left out when empty
  Vector x, y;       // values that are not finite leave a gap
  int colour = -1;   // of the palette; -1: by position
  int dash = -1;     // of the dash patterns, 0 solid; -1: by position
  Weight weight = Weight::line;
};

struct Mark {
  double x, y;
  int colour;
  std::string text;  // shown when pointed at
};

struct Level {
  double y;
  std::string name;
};

enum class Scale {
  linear,
  logarithmic,  // of y; ticks carry the unit: "10 µm"
  equal,        // one unit is as long on both axes
};

struct Chart {
  std::string title;
  std::string x_label, y_label;  // with units
  std::vector<Series> series;
  std::vector<Mark> marks = {};
  std::optional<Level> level = {};  // horizontal, such as a tolerance
  Scale scale = Scale::linear;
  std::string unit = {};  // of the ticks of a logarithmic axis: "m"
  int plot_height = 210;  // px, without labels and legend
};

constexpr int chart_width = 440;  // px

struct Drawing {
  std::string body;  // SVG elements, without the <svg> around them
  int height;        // px
};
Drawing draw(const Chart& chart);

// An <svg> element for a page that holds chart_css().
std::string chart_svg(const Chart& chart);

}  // namespace tauflex
