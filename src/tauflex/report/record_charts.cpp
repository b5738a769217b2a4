#include "tauflex/report/record_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr size_t most_series = 16;  // in one chart; more cannot be told apart

constexpr int tall_plot = 300;  // px, for the outputs: over time and as a path

// What the robot does: as simulated where there is a proof, else as computed.
struct Course {
  const Vector& t;
  const Matrix& q;
  const Matrix& y;
  bool simulated;
};
Course course(const Record& record) {
  if (record.verification)
    return {record.verification->t, record.verification->q, record.verification->y, true};
  return {record.solution.t, record.solution.q, record.solution.y, false};
}

Matrix wanted(const Record& record, const Vector& t) {
  const OutputPath& path = *record.job.task.path;
  Matrix y(path.size(), t.size());
  for (Eigen::Index i = 0; i < t.size(); ++i) path_values<double>(path, t[i], y.col(i));
  return y;
}

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
  const double limit = record.robot.drives()[drive].limits.torque;
  const double reached = std::abs(peak(s, drive).value);
  if (s.t.size() < 2 || !(limit < 2 * reached)) return;
  const std::string& name = record.robot.drive_names()[drive];
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
  const Solution& s = record.solution;
  std::vector<Chart> charts;
  for (const std::string base : {"N m", "N"}) {
    double largest = 0;
    for (int d = 0; d < s.u.rows(); ++d)
      if (drive_unit(record, d) == base) largest = std::max(largest, std::abs(peak(s, d).value));
    const Unit unit = readable_unit(largest, base);
    Chart chart{.title = base == "N" ? "Motor forces" : "Motor torques",
                .x_label = "time (s)",
                .y_label = "u (" + unit.name + ")",
                .series = {}};
    for (int d = 0; d < s.u.rows(); ++d) {
      if (drive_unit(record, d) != base) continue;
      const Peak p = peak(s, d);
      const std::string& name = record.robot.drive_names()[d];
      const std::string peak_text = fmt::format(
          "peak {} {} at {} s", number(std::abs(p.value) / unit.size), unit.name, number(p.t));
      const int colour = static_cast<int>(chart.series.size());
      if (s.t.size() > 0)
        chart.marks.push_back({p.t, p.value / unit.size, colour, name + ": " + peak_text});
      chart.series.push_back({.name = name + ", " + peak_text,
                              .x = s.t,
                              .y = s.u.row(d).transpose() / unit.size,
                              .colour = colour});
    }
    for (int d = 0, colour = 0; d < s.u.rows(); ++d)
      if (drive_unit(record, d) == base) add_limit_lines(record, d, unit, colour++, chart);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> motion_charts(const Record& record) {
  const Robot& robot = record.robot;
  const Course m = course(record);
  std::vector<Chart> charts;
  for (const bool angle : {true, false}) {
    Chart chart{.title = m.simulated ? "Motion, simulated" : "Motion, computed",
                .x_label = "time (s)",
                .y_label = angle ? "q (rad)" : "q (m)",
                .series = {}};
    int colour = 0;
    for (int j = 0; j < std::min<int>(robot.nq(), static_cast<int>(m.q.rows())); ++j) {
      const auto drive = std::find_if(robot.drives().begin(), robot.drives().end(),
                                      [&](const DriveLayout& d) { return d.rotor_q == j; });
      if (drive != robot.drives().end() || robot.is_angle(j) != angle) continue;
      const std::string& joint = robot.coordinate_names()[j];
      chart.series.push_back(
          {.name = joint, .x = m.t, .y = m.q.row(j).transpose(), .colour = colour, .dash = 0});
      for (const DriveLayout& d : robot.drives()) {
        if (d.joint_q != j || d.rotor_q < 0) continue;
        const std::string& rotor = robot.coordinate_names()[d.rotor_q];
        chart.series.push_back(
            {.name = d.gear_ratio == 1 ? rotor : rotor + " / " + number(d.gear_ratio),
             .x = m.t,
             .y = m.q.row(d.rotor_q).transpose() / d.gear_ratio,
             .colour = colour,
             .dash = 1,
             .weight = Weight::thin});
      }
      ++colour;
    }
    keep_most_moving(chart);
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> force_charts(const Record& record) {
  const Solution& s = record.solution;
  const auto& rows = record.robot.constraints();
  std::vector<Chart> charts;
  for (const bool moment : {false, true}) {
    Chart chart{.title = moment ? "Moments of constraints" : "Forces of constraints",
                .x_label = "time (s)",
                .y_label = moment ? "lambda (N m)" : "lambda (N)",
                .series = {}};
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(s.lambda.rows(), std::ssize(rows)); ++i)
      if (rows[i].is_angle == moment)
        chart.series.push_back({.name = rows[i].name,
                                .x = s.t,
                                .y = s.lambda.row(i).transpose(),
                                .colour = static_cast<int>(chart.series.size()),
                                .dash = static_cast<int>(chart.series.size())});
    keep_most_moving(chart);
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
  const double tolerance = record.job.verification.tolerance;
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

namespace {

// Two components of the position of one frame.
struct Plane {
  struct Side {
    int axis, row;  // of the frame in which the path is meant, and of y
  };
  const PositionOutput* position;
  Side across, up;
};
std::optional<Plane> plane_of_motion(const Outputs& outputs, const Matrix& path) {
  for (const OutputGroup& group : outputs.groups) {
    const PositionOutput* position = group.position();
    if (!position || group.rows.size() < 2) continue;
    std::vector<Plane::Side> sides;
    for (size_t k = 0; k < group.rows.size(); ++k)
      sides.push_back({position->axes[k], group.rows[k]});
    if (sides.size() > 2) {  // seen along the direction in which it moves least
      const auto travel = [&](const Plane::Side& side) {
        return path.row(side.row).maxCoeff() - path.row(side.row).minCoeff();
      };
      sides.erase(std::min_element(sides.begin(), sides.end(), [&](const auto& a, const auto& b) {
        return travel(a) < travel(b);
      }));
    }
    if (sides[0].axis > sides[1].axis) std::swap(sides[0], sides[1]);
    return Plane{position, sides[0], sides[1]};
  }
  return std::nullopt;
}

// The robot at one time, in the frame in which the path is meant: lines from each joint to the
// joints it carries, and to the tool.
Series stick_figure(const Robot& robot, const Plane& plane, const VectorRef& q) {
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  const Frame& tool = robot.frames()[plane.position->frame];
  std::vector<Vector3> points;
  const auto add_line = [&](const Vector3& from, const Vector3& to) {
    points.insert(points.end(), {from, to, Vector3::Constant(NAN)});
  };
  for (size_t b = 0; b < robot.bodies().size(); ++b) {
    const int parent = robot.bodies()[b].parent;
    add_line(parent < 0 ? Vector3::Zero() : data.p[parent], data.p[b]);
  }
  for (const ConstraintRow& row : robot.constraints()) {  // to where links meet again
    const auto* point = std::get_if<PointRow>(&row.rule);
    for (const int end : {point ? point->a : -1, point ? point->b : -1}) {
      if (end < 0 || robot.frames()[end].body < 0) continue;
      const Frame& frame = robot.frames()[end];
      add_line(data.p[frame.body], frame_position(data, frame));
    }
  }
  if (tool.body >= 0) add_line(data.p[tool.body], frame_position(data, tool));
  Series series{.name = "", .x = {}, .y = {}, .colour = 6, .dash = 0, .weight = Weight::limb};
  const Frame& reference = plane.position->reference;
  const Vector3 origin = frame_position(data, reference);
  const Matrix3 R = frame_rotation(data, reference);
  series.x.resize(std::ssize(points));
  series.y.resize(std::ssize(points));
  for (Eigen::Index i = 0; i < std::ssize(points); ++i) {
    series.x[i] = R.col(plane.across.axis).dot(points[i] - origin);
    series.y[i] = R.col(plane.up.axis).dot(points[i] - origin);
  }
  return series;
}

double extent(const std::vector<Series>& all) {
  double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
  for (const Series& s : all)
    for (Eigen::Index i = 0; i < s.x.size(); ++i) {
      if (!std::isfinite(s.x[i]) || !std::isfinite(s.y[i])) continue;
      low_x = std::min(low_x, s.x[i]);
      high_x = std::max(high_x, s.x[i]);
      low_y = std::min(low_y, s.y[i]);
      high_y = std::max(high_y, s.y[i]);
    }
  return std::max(high_x - low_x, high_y - low_y);
}

}  // namespace

std::optional<Chart> tool_path_chart(const Record& record) {
  const Course m = course(record);
  const Matrix path = wanted(record, m.t);
  const Outputs outputs = find_outputs(record.robot, record.job.task);
  if (m.t.size() == 0 || m.y.rows() != path.rows()) return std::nullopt;
  const auto plane = plane_of_motion(outputs, path);
  if (!plane) return std::nullopt;
  const int across = plane->across.row, up = plane->up.row;

  // The whole path, also where the run ended before it.
  const double begin = -record.job.task.hold_before,
               end = record.job.task.path->duration() + record.job.task.hold_after;
  const Matrix whole = wanted(record, Vector::LinSpaced(501, begin, end));
  const std::vector<Series> ways = {{.name = "wanted",
                                     .x = whole.row(across).transpose(),
                                     .y = whole.row(up).transpose(),
                                     .colour = 0,
                                     .dash = 0,
                                     .weight = Weight::band},
                                    {.name = m.simulated ? "simulated" : "computed",
                                     .x = m.y.row(across).transpose(),
                                     .y = m.y.row(up).transpose(),
                                     .colour = 0,
                                     .dash = 0}};
  const Eigen::Index last = m.t.size() - 1;
  std::vector<Eigen::Index> moments;  // start, middle and end of the path, as far as the run got
  for (const double part : {0.0, 0.5, 1.0}) {
    const double t = part * record.job.task.path->duration();
    const auto i = std::lower_bound(m.t.begin(), m.t.end(), t) - m.t.begin();
    if (moments.empty() || moments.back() < std::min(i, last)) moments.push_back(std::min(i, last));
  }
  std::vector<Series> figures;
  for (const Eigen::Index i : moments)
    figures.push_back(stick_figure(record.robot, *plane, m.q.col(i)));
  figures[0].name = figures.size() == 3 ? "robot: start, middle, end" : "robot";

  Chart chart{.title = "Tool path",
              .x_label = outputs.rows[across].name + " (m)",
              .y_label = outputs.rows[up].name + " (m)",
              .series = {},
              .scale = Scale::equal,
              .plot_height = 300};
  // A path that is small for its robot is shown alone, else it would be a dot.
  if (extent(ways) > 0.2 * extent(figures)) chart.series = figures;
  chart.series.insert(chart.series.end(), ways.begin(), ways.end());
  const auto mark = [&](Eigen::Index i, const char* text) {
    chart.marks.push_back({m.y(across, i), m.y(up, i), 0, text});
  };
  mark(0, "start");
  mark(last, "end");
  return chart;
}

}  // namespace tauflex
