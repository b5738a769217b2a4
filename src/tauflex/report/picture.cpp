#include "tauflex/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/report/chart_style.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/record_charts.hpp"
#include "tauflex/report/tool_path_chart.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr int page_margin = 20, column_gap = 28;  // px
constexpr int heading = 34, caption = 24;         // px

int column_height(const std::vector<Chart>& charts) {
  int height = 0;
  for (const Chart& chart : charts) height += caption + draw(chart).height + column_gap / 2;
  return height;
}

std::string column(const std::vector<Chart>& charts, int left) {
  std::string svg;
  int top = page_margin + heading;
  for (const Chart& chart : charts) {
    const Drawing drawing = draw(chart);
    svg += fmt::format("<text class=\"caption\" x=\"{}\" y=\"{}\">{}</text>\n", left + 2, top + 14,
                       escape(chart.title));
    svg += fmt::format("<g transform=\"translate({},{})\">\n{}</g>\n", left, top + caption,
                       drawing.body);
    top += caption + drawing.height + column_gap / 2;
  }
  return svg;
}

}  // namespace

std::string picture_svg(const Record& record) {
  std::vector<Chart> left, right = torque_charts(record);
  if (auto chart = tool_path_chart(record))
    left.push_back(std::move(*chart));
  else
    left = output_charts(record);
  if (auto chart = tool_error_chart(record)) right.push_back(std::move(*chart));
  for (Chart& chart : right) chart.plot_height = 160;
  // Both columns end at the same height.
  const int missing = column_height(right) - column_height(left);
  if (!left.empty()) left.back().plot_height = std::max(160, left.back().plot_height + missing);

  const int width = 2 * page_margin + 2 * chart_width + column_gap;
  const int height =
      page_margin + heading + std::max(column_height(left), column_height(right)) + page_margin / 2;
  const Verdict v = verdict(record);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {0} {1}\" "
      "width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n"
      "<style>\n{3}.chart .title{{font-size:19px;font-weight:600;fill:#1f2328}}\n"
      ".chart .caption{{font-size:14px;font-weight:600;fill:#1f2328}}\n</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" rx=\"8\" fill=\"#fff\"/>\n"
      "<text class=\"title\" x=\"{4}\" y=\"{5}\">{2}</text>\n{6}{7}</svg>\n",
      width, height, escape(shortened(record.job.name, 40) + ": " + v.headline + ", " + v.word),
      chart_css(), page_margin + 2, page_margin + 14, column(left, page_margin),
      column(right, page_margin + chart_width + column_gap));
}

}  // namespace tauflex
