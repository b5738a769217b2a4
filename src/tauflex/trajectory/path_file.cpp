#include "tauflex/trajectory/path_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/circle.hpp"
#include "tauflex/trajectory/constant_speed.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/point_file.hpp"
#include "tauflex/trajectory/samples_file.hpp"
#include "tauflex/trajectory/sequence.hpp"
#include "tauflex/trajectory/sine.hpp"
#include "tauflex/trajectory/spline.hpp"
#include "tauflex/trajectory/stacked.hpp"
#include "tauflex/trajectory/waypoints_file.hpp"

namespace tauflex {

namespace {

using Path = std::shared_ptr<const OutputPath>;
using Names = std::vector<std::string>;

// What the rows of a path are called, and how a point becomes their values.
struct Rows : Names {
  Rows(const Names& names, const PointChart& of_points, PathReading& how)
      : Names(names), chart(of_points), reading(how) {}
  PointChart chart;
  PathReading& reading;
};

constexpr int default_degree = 11;     // of a line or a circle: C^5
constexpr int default_smoothness = 4;  // of a spline: C^4

// A path that refuses its data says why; the node says where.
template <class PathType, class... Data>
Path make_path(const Node& node, const Data&... data) {
  try {
    return std::make_shared<PathType>(data...);
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

Vector read_point(const Node& node, const Rows& outputs) {
  Vector point = read_raw_point(node, outputs);
  if (outputs.chart) point = outputs.chart(point);
  if (point.hasNaN())
    node.fail("'start' is the orientation of the first point of the path; say that one in numbers");
  return point;
}

Vector read_start(const Node& node, const Rows& outputs, const OutputPath* before) {
  if (const auto from = node.find("from")) return read_point(*from, outputs);
  if (!before) node.fail("'from' is missing; only segments after the first may leave it out");
  return position(*before, before->duration());
}

int read_degree(const Node& node) {
  const auto profile = node.find("profile");
  if (!profile) return default_degree;
  std::vector<int> degrees;
  for (int degree = 1; degree <= Smoothstep::largest_degree; degree += 2) degrees.push_back(degree);
  std::stable_sort(degrees.begin(), degrees.end(), [](int a, int b) {  // best guess first
    return std::abs(a - default_degree) < std::abs(b - default_degree);
  });
  Names known;
  for (const int degree : degrees) known.push_back(fmt::format("polynomial{}", degree));

  const std::string name = profile->text();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    profile->fail(
        fmt::format("expected polynomial<degree> with an odd degree from 1 to {}, such as "
                    "polynomial{}, got '{}'{}",
                    Smoothstep::largest_degree, default_degree, name, did_you_mean(name, known)));
  return degrees[found - known.begin()];
}

int read_smoothness(const Node& node) {
  const auto smoothness = node.find("smoothness");
  return smoothness ? smoothness->integer() : default_smoothness;
}

Path read_line(const Node& node, const Rows& outputs, const OutputPath* before) {
  node.allow({"line", "duration", "profile"});
  const Node line = node.at("line");
  line.allow({"from", "to"});
  const Vector from = read_start(line, outputs, before);  // before `to`: a chart starts here
  return make_path<LinePath>(line, from, read_point(line.at("to"), outputs),
                             node.at("duration").in("s").positive(), read_degree(node));
}

// The first three outputs go round; what follows them, an orientation, turns to `turn_to` or stays.
Path read_circle(const Node& node, const Rows& outputs, const OutputPath* before) {
  node.allow({"circle", "duration", "profile"});
  const Node circle = node.at("circle");
  circle.allow({"from", "center", "angle", "normal", "turn_to"});
  std::optional<Vector3> normal;
  if (const auto given = circle.find("normal")) normal = given->numbers(3);
  const Vector from = read_start(circle, outputs, before);
  const auto round = std::min<Eigen::Index>(from.size(), 3), rest = from.size() - round;
  const double angle = circle.at("angle").in("rad").number(),
               duration = node.at("duration").in("s").positive();
  const int degree = read_degree(node);
  const Node center = circle.at("center");
  const Path way =
      make_path<CirclePath>(circle, from.head(round),
                            rest > 0 ? center.in("m").numbers(3) : read_raw_point(center, outputs),
                            angle, duration, degree, normal);
  if (rest == 0) {
    if (circle.has("turn_to")) circle.at("turn_to").fail("belongs to an orientation");
    return way;
  }
  Vector end = from;
  if (const auto turn = circle.find("turn_to")) {
    if (const OutputParts* parts = parts_from(outputs, 3); parts && std::ssize(parts->rows) == rest)
      end.tail(rest) = read_parts(*turn, *parts);
    else
      end.tail(rest) = turn->numbers(static_cast<int>(rest));
    if (outputs.chart) end = outputs.chart(end);
  }
  return std::make_shared<StackedPath>(
      way, make_path<LinePath>(circle, from.tail(rest), end.tail(rest), duration, degree));
}

Vector chord_times(const Node& points, const Matrix& values, double duration) {
  Vector times = Vector::Zero(values.rows());
  for (int i = 1; i < times.size(); ++i) {
    const double chord = (values.row(i) - values.row(i - 1)).norm();
    if (chord == 0)
      points[i].fail("is the same point as the one before it; give 'times' instead of 'duration'");
    times[i] = times[i - 1] + chord;
  }
  return times * (duration / times[times.size() - 1]);
}

Path read_spline(const Node& node, const Rows& outputs) {
  node.allow({"spline", "duration", "smoothness"});
  const Node spline = node.at("spline");
  spline.allow({"points", "times"});
  const Node points = spline.at("points");
  if (!points.is_list() || points.size() < 2) points.fail("expected a list of at least 2 points");
  Matrix values(points.size(), outputs.size());
  for (int i = 0; i < points.size(); ++i) values.row(i) = read_point(points[i], outputs);

  const auto times = spline.find("times");
  const auto duration = node.find("duration");
  if (times.has_value() == duration.has_value())
    spline.fail("give either 'times', one for each point, or 'duration'");
  if (times && times->in("s").numbers(points.size())[0] != 0) times->fail("must start at 0");
  return make_path<InterpolatingSpline>(
      spline,
      times ? times->in("s").numbers() : chord_times(points, values, duration->in("s").positive()),
      values, read_smoothness(node));
}

Path read_samples(const Node& node, const Rows& outputs) {
  node.allow({"samples"});
  return read_samples_path(node.at("samples"), outputs, outputs.chart, outputs.reading.notes);
}

Path read_waypoints(const Node& node, const Rows& outputs, const OutputPath* before) {
  node.allow({"waypoints", "smoothness"});
  const auto given = node.find("smoothness");
  if (!given) outputs.reading.smoothness_is_open = true;
  const int smoothness = given ? given->integer() : outputs.reading.smoothness;
  return read_waypoints_path(
      node.at("waypoints"),
      {outputs, smoothness, [&](const Node& at) { return read_point(at, outputs); },
       before ? std::optional(position(*before, before->duration())) : std::nullopt,
       outputs.reading.notes});
}

Path read_hold(const Node& node, const OutputPath* before) {
  node.allow({"hold"});
  if (!before) node.fail("'hold' stays where the segment before it ended, but there is none");
  const Vector y = position(*before, before->duration());
  return make_path<LinePath>(node, y, y, node.at("hold").in("s").positive(), default_degree);
}

Path read_sine(const Node& node, const Rows& outputs) {
  node.allow({"sine", "duration"});
  const Node sine = node.at("sine");
  sine.allow({"center", "amplitude", "frequency", "phase"});
  const auto duration = node.find("duration");
  return make_path<SinePath>(sine, read_raw_point(sine.at("center"), outputs),
                             read_raw_point(sine.at("amplitude"), outputs),
                             sine.at("frequency").in("1/s").positive(), sine.number_or("phase", 0),
                             duration ? duration->in("s").positive() : 1.0);
}

Path read_constant_speed(const Node& node, const Rows& outputs) {
  node.allow({"constant_speed", "duration"});
  const Node motion = node.at("constant_speed");
  motion.allow({"from", "speed"});
  const auto duration = node.find("duration");
  const Node speed = motion.at("speed").in("rad/s|m/s");
  return make_path<ConstantSpeedPath>(
      motion, read_raw_point(motion.at("from"), outputs),
      speed.is_text() ? Vector(Vector::Constant(1, speed.number())) : speed.numbers(),
      duration ? duration->in("s").positive() : 1.0);
}

Path read_segment(const Node& node, const Rows& outputs, const OutputPath* before) {
  const Names kinds = {"line",           "circle",  "spline",    "sine",
                       "constant_speed", "samples", "waypoints", "hold"};
  if (!node.is_map()) node.fail("expected one of " + join(kinds));
  node.allow({"line", "circle", "spline", "sine", "constant_speed", "samples", "waypoints", "hold",
              "duration", "profile", "smoothness"});
  Names given;
  for (const auto& kind : kinds)
    if (node.has(kind)) given.push_back(kind);
  if (given.size() != 1)
    node.fail(fmt::format("expected exactly one of {}, got {}", join(kinds),
                          given.empty() ? "none" : join(given)));
  if (given[0] == "line") return read_line(node, outputs, before);
  if (given[0] == "circle") return read_circle(node, outputs, before);
  if (given[0] == "spline") return read_spline(node, outputs);
  if (given[0] == "sine") return read_sine(node, outputs);
  if (given[0] == "constant_speed") return read_constant_speed(node, outputs);
  if (given[0] == "samples") return read_samples(node, outputs);
  if (given[0] == "waypoints") return read_waypoints(node, outputs, before);
  return read_hold(node, before);
}

}  // namespace

Path read_path(const Node& node, const Names& names, const PointChart& chart) {
  PathReading reading;
  return read_path(node, names, chart, reading);
}

Path read_path(const Node& node, const Names& names, const PointChart& chart,
               PathReading& reading) {
  const Rows outputs(names, chart, reading);
  if (!node.is_list()) return read_segment(node, outputs, nullptr);
  if (node.size() == 0) node.fail("expected at least one segment");
  std::vector<Path> segments;
  for (int i = 0; i < node.size(); ++i) {
    const OutputPath* before = i == 0 ? nullptr : segments.back().get();
    segments.push_back(read_segment(node[i], outputs, before));
    if (!before) continue;
    if (const auto gap = gap_between(*before, *segments.back()))
      node[i].fail(fmt::format(
          "segment {} ends at {} = {:.10g}, but segment {} starts at {:.10g}: a gap of {:.6g}", i,
          outputs[gap->output], gap->end, i + 1, gap->start, std::abs(gap->start - gap->end)));
  }
  return segments.size() == 1 ? segments[0] : std::make_shared<SequencePath>(std::move(segments));
}

}  // namespace tauflex
