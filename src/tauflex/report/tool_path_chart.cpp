#include "tauflex/report/tool_path_chart.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/report/course.hpp"

namespace tauflex {

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
  for (size_t b = 0; b < robot.tree().bodies.size(); ++b) {
    const int parent = robot.tree().bodies[b].parent;
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
