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
  // Wide and pale, for what lies under another line.
  band,
  // Of a stick figure.
  limb,
};

struct Series {
  // In the legend; left out when empty.
  std::string name;
  // Values that are not finite leave a gap.
  Vector x, y;
  // Of the palette; -1: by position.
  int colour = -1;
  // Of the dash patterns, 0 solid; -1: by position.
  int dash = -1;
  Weight weight = Weight::line;
};

struct Mark {
  double x, y;
  int colour;
  // Shown when pointed at.
  std::string text;
};

struct Level {
  double y;
  std::string name;
};

enum class Scale {
  linear,
  // Of y; ticks carry the unit: "10 µm".
  logarithmic,
  // One unit is as long on both axes.
  equal,
};

struct Chart {
  std::string title;
  std::string x_label, y_label;  // with units
  std::vector<Series> series;
  std::vector<Mark> marks = {};
  // Horizontal, such as a tolerance.
  std::optional<Level> level = {};
  Scale scale = Scale::linear;
  // Of the ticks of a logarithmic axis: "m".
  std::string unit = {};
  // px, without labels and legend
  int plot_height = 210;
};

constexpr int chart_width = 440;  // px

struct Drawing {
  // SVG elements, without the <svg> around them
  std::string body;
  int height;  // px
};
Drawing draw(const Chart& chart);

// An <svg> element for a page that holds chart_css().
std::string chart_svg(const Chart& chart);

}  // namespace tauflex
