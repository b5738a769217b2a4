#include "tauflex/report/svg_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tauflex/report/axis_ticks.hpp"
#include "tauflex/report/chart_style.hpp"
#include "tauflex/report/decimation.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

constexpr int row_height = 19;     // px, of the legend
constexpr int right_margin = 18;   // px
constexpr int top_margin = 32;     // px, holds the label of the y axis
constexpr int bottom_margin = 38;  // px, holds the ticks and the label of the x axis

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool empty() const { return !(low <= high); }
  double span() const { return high - low; }
  void include(double value) {
    if (!is_drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// A range one can see: constants get room around them, lines do not touch the frame.
Range padded(Range range, double part) {
  if (range.empty()) return {0, 1};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.span() <= std::max(1e-9 * size, 1e-100)) {
    const double room = size > 1e-100 ? 0.1 * size : 1;
    return {range.low - room, range.high + room};
  }
  return {range.low - part * range.span(), range.high + part * range.span()};
}

// Powers of ten: from the smallest value, though not more than three decades below the largest, to
// above the largest value and the level.
Range decades(const Chart& chart) {
  Range positive;
  for (const Series& series : chart.series)
    for (const double y : series.y)
      if (y > 0) positive.include(y);
  const bool has_level = chart.level && chart.level->y > 0;
  if (positive.empty()) positive.include(has_level ? chart.level->y : 1);
  const double largest = std::floor(std::log10(positive.high));
  Range range{std::max(std::floor(std::log10(positive.low)), largest - 3),
              std::ceil(std::log10(1.5 * positive.high))};
  if (has_level) {
    range.include(std::ceil(std::log10(0.7 * chart.level->y)) - 1);
    range.include(std::ceil(std::log10(1.5 * chart.level->y)));
  }
  if (range.span() < 2) range.low = range.high - 2;
  return range;
}

// From values to px. y grows downwards; a logarithmic one has a range of powers of ten.
struct PlotFrame {
  Range x, y;
  double left = 0, right = 1, top = 0, bottom = 1;
  bool logarithmic = false;

  double px(double value) const { return left + (value - x.low) / x.span() * (right - left); }
  double at_height(double y_value) const {
    return bottom - (y_value - y.low) / y.span() * (bottom - top);
  }
  bool is_below(double value) const {
    return logarithmic && !(value > 0 && std::log10(value) >= y.low);
  }
  double py(double value) const {
    return at_height(!logarithmic ? value : is_below(value) ? y.low : std::log10(value));
  }
};

// A logarithmic line that falls below the plot ends at its lower edge.
std::string path_data(const Series& series, const PlotFrame& frame) {
  std::string data, last_point, edge_point;
  Eigen::Index next = 0;  // first point that has not been looked at
  bool pen_down = false;
  bool alone = false;  // a point without a line: round ends make it a dot
  for (const Eigen::Index i : decimated(series.x, series.y)) {
    for (; next < i; ++next)
      if (!is_drawable(series.x[next]) || !is_drawable(series.y[next])) {
        pen_down = false;
        edge_point.clear();
      }
    next = i + 1;
    std::string point = fmt::format("{:.1f},{:.1f}", frame.px(series.x[i]), frame.py(series.y[i]));
    if (frame.is_below(series.y[i])) {
      if (pen_down) data += "L" + point;
      pen_down = alone = false;
      edge_point = std::move(point);
      continue;
    }
    if (pen_down && point == last_point) continue;
    if (pen_down) {
      data += "L" + point;
      alone = false;
    } else {
      data += alone ? "h0M" : "M";
      data += edge_point.empty() ? point : edge_point + "L" + point;
      alone = edge_point.empty();
    }
    pen_down = true;
    edge_point.clear();
    last_point = std::move(point);
  }
  return alone ? data + "h0" : data;
}

struct Style {
  int colour, dash;
};
Style style(const Series& series, int position) {
  return {(series.colour < 0 ? position : series.colour) % colour_count,
          (series.dash < 0 ? position : series.dash) % dash_count};
}

std::string line_class(const Series& series, const Style& s) {
  const char* weight = series.weight == Weight::band   ? "band"
                       : series.weight == Weight::thin ? "thin"
                       : series.weight == Weight::limb ? "limb"
                                                       : "line";
  return fmt::format("{} c{}{}", weight, s.colour, s.dash ? fmt::format(" d{}", s.dash) : "");
}

// Rows of swatches and names under the plot; returns the y below the last row.
double draw_legend(const Chart& chart, double left, double top, std::string& svg) {
  constexpr double swatch = 26, gap = 6, between = 14;
  double x = left, y = top;
  bool any = false;
  for (int i = 0; i < std::ssize(chart.series); ++i) {
    const Series& series = chart.series[i];
    if (series.name.empty()) continue;
    const std::string name = shortened(printable(series.name), 42);
    const double width = swatch + gap + text_width(name);
    if (any && x + width > chart_width - right_margin) {
      x = left;
      y += row_height;
    }
    svg += fmt::format("<path class=\"{}\" d=\"M{:.0f},{:.0f}h{:.0f}\"/>",
                       line_class(series, style(series, i)), x + 2, y + 9, swatch - 4);
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", x + swatch + gap, y + 13.5,
                       escape(name));
    x += width + between;
    any = true;
  }
  return any ? y + row_height + 4 : y;
}

// Both ranges widened so that one unit is as long in x as in y.
void equalize(PlotFrame& f) {
  const double per_px = std::max(f.x.span() / (f.right - f.left), f.y.span() / (f.bottom - f.top));
  const auto widen = [&](Range& range, double px) {
    const double middle = 0.5 * (range.low + range.high);
    range = {middle - 0.5 * per_px * px, middle + 0.5 * per_px * px};
  };
  widen(f.x, f.right - f.left);
  widen(f.y, f.bottom - f.top);
}

PlotFrame plot_frame(const Chart& chart) {
  PlotFrame f;
  f.logarithmic = chart.scale == Scale::logarithmic;
  for (const Series& series : chart.series)
    for (Eigen::Index i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!is_drawable(series.x[i]) || !is_drawable(series.y[i])) continue;
      f.x.include(series.x[i]);
      f.y.include(series.y[i]);
    }
  if (chart.level && !f.logarithmic) f.y.include(chart.level->y);
  const bool equal = chart.scale == Scale::equal;
  f.x = padded(f.x, equal ? 0.06 : 0);
  f.y = f.logarithmic ? decades(chart) : padded(f.y, 0.06);
  f.left = 60;
  f.right = chart_width - right_margin;
  f.top = top_margin;
  f.bottom = top_margin + chart.plot_height;
  if (equal) equalize(f);
  return f;
}

std::string grid(const Chart& chart, const PlotFrame& f, const std::vector<Tick>& x_ticks,
                 const std::vector<Tick>& y_ticks) {
  std::string svg;
  for (const Tick& tick : x_ticks) {
    const double x = f.px(tick.value);
    svg += fmt::format("<path class=\"grid\" d=\"M{:.1f},{:.0f}V{:.0f}\"/>", x, f.top, f.bottom);
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>\n", x,
                       f.bottom + 17, tick.text);
  }
  for (const Tick& tick : y_ticks) {
    const double y = f.at_height(tick.value);
    const bool zero = tick.value == 0 && !f.logarithmic && chart.scale != Scale::equal;
    svg += fmt::format("<path class=\"{}\" d=\"M{:.1f},{:.1f}H{:.0f}\"/>", zero ? "zero" : "grid",
                       f.left, y, f.right);
    svg += fmt::format("<text class=\"tick end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", f.left - 7,
                       y + 4.5, escape(tick.text));
  }
  svg += fmt::format("<text x=\"2\" y=\"14\">{}</text>", escape(shortened(chart.y_label, 46)));
  svg += fmt::format("<text class=\"end\" x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", f.right,
                     f.bottom + 34, escape(shortened(chart.x_label, 46)));
  return svg;
}

// The line of the level and its name, in the first of four places where no series runs.
std::string level_line(const Chart& chart, const PlotFrame& f) {
  const double y = f.py(chart.level->y), width = text_width(chart.level->name), height = 19;
  const auto is_free = [&](double left, double top) {
    if (top < f.top || top + height > f.bottom) return false;
    for (const Series& series : chart.series)
      for (const Eigen::Index i : decimated(series.x, series.y)) {
        const double px = f.px(series.x[i]), py = f.py(series.y[i]);
        if (px > left - 6 && px < left + width + 6 && py > top && py < top + height) return false;
      }
    return true;
  };
  const double left = f.left + 6, right = f.right - 6 - width, above = y - height, below = y;
  std::array<std::pair<double, double>, 4> places = {
      {{left, above}, {left, below}, {right, above}, {right, below}}};
  auto place = std::find_if(places.begin(), places.end(),
                            [&](const auto& p) { return is_free(p.first, p.second); });
  if (place == places.end()) place = places.begin();
  return fmt::format(
      "<path class=\"level\" d=\"M{:.1f},{:.1f}H{:.0f}\"/>"
      "<text class=\"level-name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      f.left, y, f.right, place->first, place->second + 14, escape(chart.level->name));
}

std::vector<Tick> y_axis_ticks(const Chart& chart, const PlotFrame& f, int count) {
  if (!f.logarithmic) return linear_ticks(f.y.low, f.y.high, count);
  const auto decade = [](double power) { return static_cast<int>(std::lround(power)); };
  return decade_ticks(decade(f.y.low), decade(f.y.high), chart.unit, chart.plot_height / 24);
}

// As many ticks as fit side by side.
std::vector<Tick> x_axis_ticks(const PlotFrame& f, int most) {
  for (int count = most; count > 1; --count) {
    const std::vector<Tick> ticks = linear_ticks(f.x.low, f.x.high, count);
    double width = 0;
    for (const Tick& tick : ticks) width += text_width(tick.text) + 10;
    if (width < f.right - f.left) return ticks;
  }
  return linear_ticks(f.x.low, f.x.high, 1);
}

}  // namespace

Drawing draw(const Chart& chart) {
  PlotFrame f = plot_frame(chart);
  const bool equal = chart.scale == Scale::equal;
  const double tick_distance = equal ? 60 : 42;  // px, about
  const int y_count = std::max(2, static_cast<int>((f.bottom - f.top) / tick_distance));
  const int x_count = equal ? static_cast<int>(y_count * f.x.span() / f.y.span()) : 6;
  const std::vector<Tick> y_ticks = y_axis_ticks(chart, f, y_count);
  double widest = 0;
  for (const Tick& tick : y_ticks) widest = std::max(widest, text_width(tick.text));
  f.left = std::max(34.0, widest + 9);
  if (equal) equalize(f);

  std::string svg = grid(chart, f, x_axis_ticks(f, x_count), y_ticks);
  if (chart.level) svg += level_line(chart, f);
  for (int i = 0; i < std::ssize(chart.series); ++i) {
    const Series& series = chart.series[i];
    const std::string data = path_data(series, f);
    if (data.empty()) continue;
    svg +=
        fmt::format("<path class=\"{}\" d=\"{}\"/>\n", line_class(series, style(series, i)), data);
  }
  for (const Mark& mark : chart.marks) {
    if (!is_drawable(mark.x) || !is_drawable(mark.y)) continue;
    svg += fmt::format(
        "<circle class=\"mark f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" "
        "r=\"4\"><title>{}</title></circle>\n",
        mark.colour % colour_count, f.px(mark.x), f.py(mark.y), escape(mark.text));
  }
  const double bottom = draw_legend(chart, f.left, f.bottom + bottom_margin, svg);
  return {std::move(svg), static_cast<int>(std::ceil(bottom)) + 2};
}

std::string chart_svg(const Chart& chart) {
  const Drawing drawing = draw(chart);
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
      chart_width, drawing.height, escape(chart.title), drawing.body);
}

}  // namespace tauflex
