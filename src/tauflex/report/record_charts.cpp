#include "tauflex/report/record_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/report/course.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr size_t most_series = 16;  // in one chart; more cannot be told apart

// The unit in which a chart's largest value has few digits.
struct Unit {
  double size;
  std::string name;
};
Unit readable_unit(double largest, const std::string& base) {
  if (largest >= 1e7) return {1e6, "M" + base};
  if (largest >= 1e4) return {1e3, "k" + base};
  if (largest > 0 && largest < 0.1) return {1e-3, "m" + base};
  return {1, base};
}

// The series that move most, in their order, when there are too many of them.
void keep_most_moving(Chart& chart) {
  if (chart.series.size() <= most_series) return;
  std::vector<double> travel;
  for (const Series& series : chart.series) {
    const double span = series.y.size() ? series.y.maxCoeff() - series.y.minCoeff() : 0;
    travel.push_back(std::isfinite(span) ? span : INFINITY);
  }
  std::vector<size_t> order(chart.series.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return travel[a] > travel[b]; });
  std::sort(order.begin(), order.begin() + most_series);
  std::vector<Series> kept;
  for (size_t i = 0; i < most_series; ++i) kept.push_back(std::move(chart.series[order[i]]));
  chart.title += fmt::format(" ({} of {} lines, those that move most)", most_series, order.size());
  chart.series = std::move(kept);
}

// Torque limits of a drive, above and below, where its torque comes near enough to show them.
void add_limit_lines(const Record& record, int drive, const Unit& unit, int colour, Chart& chart) {
  const Solution& s = record.solution;
  const double limit = record.robot.actuation().drives[drive].limits.torque;
  const double reached = std::abs(motor_peak(record, drive).value);
  if (s.t.size() < 2 || !(limit < 2 * reached)) return;
  const std::string& name = record.robot.actuation().names[drive];
  const Vector ends = (Vector(2) << s.t[0], s.t[s.t.size() - 1]).finished();
  for (const double sign : {1.0, -1.0})
    chart.series.push_back({.name = sign < 0 ? ""
                                             : fmt::format("limit of {}, {} {}", name,
                                                           number(limit / unit.size), unit.name),
                            .x = ends,
                            .y = Vector::Constant(2, sign * limit / unit.size),
                            .colour = colour,
                            .dash = 1,
                            .weight = Weight::thin});
}

}  // namespace

std::vector<Chart> torque_charts(const Record& record) {
  const SentTorques* commanded = record.verification && record.verification->commanded
                                     ? &*record.verification->commanded
                                     : nullptr;
  const Vector& t = commanded ? commanded->t : record.solution.t;
  const Matrix& u = commanded ? commanded->u : record.solution.u;
  const std::string with = commanded ? " with the feedback" : "";
  std::vector<Chart> charts;
  for (const std::string base : {"N m", "N"}) {
    double largest = 0;
    for (int d = 0; d < u.rows(); ++d)
      if (drive_unit(record, d) == base) largest = std::max(largest, std::abs(peak(t, u, d).value));
    const Unit unit = readable_unit(largest, base);
    Chart chart{.title = (base == "N" ? "Motor forces" : "Motor torques") + with,
                .x_label = "time (s)",
                .y_label = "u (" + unit.name + ")",
                .series = {}};
    for (int d = 0; d < u.rows(); ++d) {
      if (drive_unit(record, d) != base) continue;
      const Peak p = peak(t, u, d);
      const std::string& name = record.robot.actuation().names[d];
      const std::string peak_text = fmt::format(
          "peak {} {} at {} s", number(std::abs(p.value) / unit.size), unit.name, number(p.t));
      const int colour = static_cast<int>(chart.series.size());
      if (t.size() > 0)
        chart.marks.push_back({p.t, p.value / unit.size, colour, name + ": " + peak_text});
      chart.series.push_back({.name = name + ", " + peak_text,
                              .x = t,
                              .y = u.row(d).transpose() / unit.size,
                              .colour = colour});
    }
    for (int d = 0, colour = 0; d < u.rows(); ++d)
      if (drive_unit(record, d) == base) add_limit_lines(record, d, unit, colour++, chart);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> output_charts(const Record& record) {
  const Course m = course(record);
  const Matrix path = wanted(record, m.t);
  const Outputs outputs = find_outputs(record.robot, record.job.task);
  std::vector<Chart> charts;
  for (const Quantity quantity : {Quantity::length, Quantity::angle, Quantity::force}) {
    Chart chart{
        .title = m.simulated ? "Outputs, simulated over wanted" : "Outputs, computed over wanted",
        .x_label = "time (s)",
        .y_label = fmt::format("y ({})", unit_of(quantity)),
        .series = {}};
    int colour = 0;
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(path.rows(), m.y.rows()); ++i) {
      if (outputs.rows[i].quantity != quantity) continue;
      const std::string& name = outputs.rows[i].name;
      chart.series.push_back({.name = name + " wanted",
                              .x = m.t,
                              .y = path.row(i).transpose(),
                              .colour = colour,
                              .dash = 0,
                              .weight = Weight::band});
      chart.series.push_back({.name = name,
                              .x = m.t,
                              .y = m.y.row(i).transpose(),
                              .colour = colour,
                              .dash = colour,
                              .weight = Weight::line});
      ++colour;
    }
    keep_most_moving(chart);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::optional<Chart> tool_error_chart(const Record& record) {
  if (!record.verification) return std::nullopt;
  const Verification& proof = *record.verification;
  if (!proof.max_tool_error_m && !proof.max_orientation_error_rad) return std::nullopt;
  const bool length = has_length_output(record);
  const double tolerance = (length ? proof.tolerance.length : proof.tolerance.angle).value_or(0);
  return Chart{
      .title = "Tool error over time",
      .x_label = "time (s)",
      .y_label = length ? "distance of the simulated tool from its path"
                        : "largest error of the simulated angles",
      .series = {{.name = "", .x = proof.t, .y = proof.tool_error, .colour = 0, .dash = 0}},
      .level = Level{tolerance, "tolerance " + size_text(tolerance, length ? Quantity::length
                                                                           : Quantity::angle)},
      .scale = Scale::logarithmic,
      .unit = length ? "m" : "rad"};
}

}  // namespace tauflex
