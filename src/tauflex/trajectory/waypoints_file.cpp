#include "tauflex/trajectory/waypoints_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/blended.hpp"
#include "tauflex/trajectory/output_name.hpp"
#include "tauflex/trajectory/sequence.hpp"

namespace tauflex {

namespace {

constexpr double same_velocity = 1e-12;  // relative: no corner
constexpr double rounding_of_times = 1e-9;

// How a corner is passed: by blend, or by tolerance, m or rad; neither: with a stop.
struct Passing {
  std::optional<double> blend, tolerance;
};

class Waypoints {
 public:
  Waypoints(const Node& node, const WaypointsReading& reading) : node_(node), reading_(reading) {
    node.allow({"points", "speed", "turn_speed", "acceleration", "blend", "tolerance"});
    sort_rows();
    if (const auto speed = node.find("speed")) speed_ = speed->in("m/s|rad/s").positive();
    if (const auto turn = node.find("turn_speed")) turn_speed_ = turn->in("rad/s").positive();
    if (!place_.empty() || !single_.empty()) node.at("speed");  // an error when it is missing
    read_points();
    const double speed = place_.empty() && single_.empty() ? turn_speed_ : speed_;
    if (!(speed > 0)) node.at("turn_speed");
    ramp_ = SmoothRamp(std::max(0, reading.smoothness - 1)).steepest() * speed /
            node.at("acceleration").in("m/s^2|rad/s^2").positive();
  }

  std::shared_ptr<const OutputPath> path() {
    std::vector<std::shared_ptr<const OutputPath>> ways;
    const Eigen::Index n = std::ssize(points_);
    find_times();
    find_blends();
    find_demands();
    for (Eigen::Index first = 0, i = 1; i < n; ++i) {
      if (i + 1 < n && !is_stop(i)) continue;
      ways.push_back(way(first, i));
      first = i;
    }
    return ways.size() == 1 ? ways[0] : std::make_shared<SequencePath>(std::move(ways));
  }

 private:
  // Which rows are a place, which turn together, which stand alone.
  void sort_rows() {
    const auto& names = reading_.outputs;
    for (size_t i = 0; i < names.size(); ++i) {
      if (const OutputParts* parts = parts_from(names, i)) {
        turns_.emplace_back();
        for (size_t k = 0; k < parts->rows.size(); ++k)
          turns_.back().push_back(static_cast<int>(i + k));
        i += parts->rows.size() - 1;
      } else if (units_of_output(names[i]) == "rad") {
        turns_.push_back({static_cast<int>(i)});
      } else {
        (is_place(names[i]) ? place_ : single_).push_back(static_cast<int>(i));
      }
    }
  }

  Passing read_passing(const Node& node, const Passing& otherwise) const {
    const auto blend = node.find("blend"), tolerance = node.find("tolerance");
    if (blend && tolerance) tolerance->fail("cannot be given together with 'blend'");
    if (blend) return {blend->in("m|rad").not_negative(), std::nullopt};
    if (tolerance) return {std::nullopt, tolerance->in("m|rad").positive()};
    return otherwise;
  }

  void read_points() {
    const Node points = node_.at("points");
    const Passing all = read_passing(node_, {});
    if (!points.is_list()) points.fail("expected a list of points");
    if (reading_.from) {
      points_.push_back(*reading_.from);
      passing_.emplace_back();
      nodes_.push_back(points);
    }
    for (int i = 0; i < points.size(); ++i) {
      const bool is_long = points[i].is_map() && points[i].has("at");
      if (is_long) points[i].allow({"at", "blend", "tolerance"});
      const Vector point = reading_.point(is_long ? points[i].at("at") : points[i]);
      if (reading_.from && i == 0 && point == *reading_.from) continue;
      points_.push_back(point);
      passing_.push_back(is_long ? read_passing(points[i], all) : all);
      nodes_.push_back(points[i]);
    }
    if (points_.size() < 2) points.fail("expected a list of at least 2 points");
  }

  // Distances: of the place, of rows that turn together, of rows that stand alone.
  double place_size(const Vector& change) const { return Vector(change(place_)).norm(); }
  double single_size(const Vector& change) const {
    double largest = 0;
    for (const int i : single_) largest = std::max(largest, std::abs(change[i]));
    return largest;
  }
  double turn_size(const Vector& change) const {
    double largest = 0;
    for (const auto& rows : turns_) largest = std::max(largest, Vector(change(rows)).norm());
    return largest;
  }
  // What blends and tolerances are measured in.
  double size(const Vector& change) const {
    return !place_.empty()    ? place_size(change)
           : !single_.empty() ? single_size(change)
                              : turn_size(change);
  }

  void find_times() {
    times_ = Vector::Zero(std::ssize(points_) - 1);
    for (Eigen::Index i = 0; i < times_.size(); ++i) {
      const Vector change = points_[i + 1] - points_[i];
      const double turn = turn_size(change), speed = std::max(speed_, 0.0);
      times_[i] = speed > 0 ? std::max(place_size(change), single_size(change)) / speed : 0;
      if (turn > 0 && turn_speed_ > 0) times_[i] = std::max(times_[i], turn / turn_speed_);
      if (turn > 0 && !(times_[i] > 0))
        nodes_[i + 1].fail("only turns from the point before it; give turn_speed, rad/s");
      if (!(times_[i] > 0)) nodes_[i + 1].fail("is the same point as the one before it");
    }
  }

  Vector velocity(Eigen::Index i) const { return (points_[i + 1] - points_[i]) / times_[i]; }
  bool is_corner(Eigen::Index i) const {
    const Vector a = velocity(i - 1), b = velocity(i);
    return (b - a).norm() > same_velocity * std::max(a.norm(), b.norm());
  }
  bool is_stop(Eigen::Index i) const { return is_corner(i) && blends_[i] == 0; }
  // Whether time for a blend is asked for at a point.
  bool is_blended(Eigen::Index i) const {
    return i > 0 && i + 1 < std::ssize(points_) && is_corner(i) &&
           (passing_[i].tolerance || passing_[i].blend.value_or(0) > 0);
  }

  // In time at full speed, to both sides of a point.
  void find_blends() {
    blends_ = Vector::Zero(std::ssize(points_));
    const double middle = SmoothRamp(std::max(0, reading_.smoothness - 1)).at_middle();
    for (Eigen::Index i = 1; i + 1 < blends_.size(); ++i) {
      if (!is_blended(i)) continue;
      const Vector a = velocity(i - 1), b = velocity(i);
      if (passing_[i].blend) {
        const double fastest = std::max(size(a), size(b));
        if (fastest > 0) blends_[i] = *passing_[i].blend / fastest;  // else it stops and turns
        continue;
      }
      // the way passes the point at 2 b R(1/2) |v2 - v1|; there may be room for less only
      const double room = std::min(times_[i - 1] / (is_blended(i - 1) ? 2 : 1),
                                   times_[i] / (is_blended(i + 1) ? 2 : 1));
      blends_[i] = std::min(room, *passing_[i].tolerance / (2 * middle * size(b - a)));
    }
    for (Eigen::Index i = 0; i < times_.size(); ++i)
      if (blends_[i] + blends_[i + 1] > times_[i] * (1 + rounding_of_times))
        nodes_[i + 1].fail(fmt::format(
            "the blends do not fit: {:.6g} at the point before and {:.6g} here, but the points are "
            "{:.6g} apart",
            blends_[i] * size(velocity(i)), blends_[i + 1] * size(velocity(i)),
            size(points_[i + 1] - points_[i])));
  }

  std::shared_ptr<const OutputPath> way(Eigen::Index first, Eigen::Index last) const {
    BlendedWay way{Matrix(last - first + 1, points_[0].size()),
                   times_.segment(first, last - first),
                   blends_.segment(first, last - first + 1),
                   demands_.segment(first, last - first + 1),
                   ramp_,
                   reading_.smoothness};
    for (Eigen::Index i = first; i <= last; ++i) way.points.row(i - first) = points_[i];
    way.blends[0] = way.blends[last - first] = 0;
    try {
      return std::make_shared<BlendedPath>(std::move(way));
    } catch (const InputError& error) {
      node_.fail(error.what());
    }
  }

  // Across the way, in a corner at full speed: |v2 - v1| s' / (2 b), against what is allowed. Where
  // it is most it is said how much slower the corner is.
  void find_demands() {
    const double steepest = SmoothRamp(std::max(0, reading_.smoothness - 1)).steepest(),
                 allowed = node_.at("acceleration").in("m/s^2|rad/s^2").positive();
    demands_ = Vector::Zero(blends_.size());
    Eigen::Index worst = 0;
    for (Eigen::Index i = 1; i + 1 < blends_.size(); ++i) {
      if (blends_[i] == 0) continue;
      demands_[i] = size(velocity(i) - velocity(i - 1)) * steepest / (2 * blends_[i]) / allowed;
      if (demands_[i] > demands_[worst]) worst = i;
    }
    if (demands_[worst] > 1.001)
      reading_.notes.push_back(fmt::format(
          "{}: the corner is passed with at most {:.2g} % of the speed, so that the acceleration "
          "stays within {:.3g}; a larger blend or tolerance lets it be faster",
          nodes_[worst].path(), 100 / std::sqrt(demands_[worst]), allowed));
  }

  const Node& node_;
  const WaypointsReading& reading_;
  std::vector<int> place_, single_;
  std::vector<std::vector<int>> turns_;
  double speed_ = 0, turn_speed_ = 0;  // m/s or rad/s, rad/s; 0: not given
  double ramp_ = 0;                    // s
  std::vector<Vector> points_;
  std::vector<Passing> passing_;
  // Where each point stands, for messages.
  std::vector<Node> nodes_;
  Vector times_, blends_, demands_;
};

}  // namespace

std::shared_ptr<const OutputPath> read_waypoints_path(const Node& waypoints,
                                                      const WaypointsReading& reading) {
  return Waypoints(waypoints, reading).path();
}

}  // namespace tauflex
