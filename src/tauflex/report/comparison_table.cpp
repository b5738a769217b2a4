#include "tauflex/report/comparison_table.hpp"

#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

std::string number_or_dash(bool given, const std::string& text) { return given ? text : "-"; }

std::string tool_error(const ComparedMethod& row) {
  if (row.tool_error_m) return size_text(*row.tool_error_m, Quantity::length, 2);
  if (row.orientation_error_rad) return size_text(*row.orientation_error_rad, Quantity::angle, 2);
  return "-";
}

}  // namespace

std::string comparison_text(const std::string& job, const std::vector<ComparedMethod>& rows) {
  std::string text = fmt::format(
      "{}: methods side by side; errors of u relative to its peak, after a tenth of the path\n",
      job);
  constexpr const char* layout = "  {:<14} {:>5} {:>9} {:>10} {:>10} {:>12} {:>7} {:>18}\n";
  std::string dynamics;
  for (const ComparedMethod& row : rows) {
    if (row.dynamics != dynamics) {
      dynamics = row.dynamics;
      text += "\n" + dynamics + " dynamics\n";
      text += fmt::format(layout, "method", "order", "step", "time", "error of u", "tool error",
                          "Newton", "condition (raw)");
    }
    if (row.status != Status::solved) {
      text += fmt::format("  {:<14} {}: {}\n", row.method,
                          row.status == Status::not_converged ? "failed" : name(row.status),
                          printable(row.message));
      continue;
    }
    text += fmt::format(
        layout, row.method, number_or_dash(row.order > 0, std::to_string(row.order)),
        fmt::format("{:.4g} ms", 1e3 * row.step), fmt::format("{:.3g} s", row.seconds),
        number_or_dash(row.torque_error.has_value(),
                       fmt::format("{:.2g} %", 100 * row.torque_error.value_or(0))),
        tool_error(row), row.newton_iterations,
        number_or_dash(row.condition > 0,
                       fmt::format("{:.0e}{}", row.condition,
                                   row.condition_unscaled > 0
                                       ? fmt::format(" ({:.0e})", row.condition_unscaled)
                                       : "")));
  }
  return text;
}

}  // namespace tauflex
