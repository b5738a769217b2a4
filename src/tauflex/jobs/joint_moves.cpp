#include "tauflex/jobs/joint_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/units.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/problem/inverse_kinematics.hpp"
#include "tauflex/problem/postures.hpp"
#include "tauflex/trajectory/point_file.hpp"

namespace tauflex {

namespace {

// The segments of a path with their places in the job: "task.path" or "task.path.0", ..
std::vector<Node> segments_of(const Node& path) {
  if (!path.is_list()) return {path};
  std::vector<Node> all;
  for (int i = 0; i < path.size(); ++i) all.push_back(path[i]);
  return all;
}

// Every place of a segment where a point stands.
std::vector<Node> points_of(const Node& segment) {
  std::vector<Node> all;
  if (!segment.is_map()) return all;
  for (const char* kind : {"line", "circle", "joint_move"})
    if (const auto move = segment.find(kind); move && move->is_map())
      for (const char* key : {"from", "to", "center"})
        if (const auto point = move->find(key)) all.push_back(*point);
  for (const char* kind : {"spline", "waypoints", "joint_waypoints"})
    if (const auto way = segment.find(kind); way && way->is_map())
      if (const auto points = way->find("points"); points && points->is_list())
        for (int i = 0; i < points->size(); ++i) {
          const Node item = (*points)[i];
          all.push_back(item.is_map() && item.has("at") ? item.at("at") : item);
        }
  return all;
}

class JointMoves {
 public:
  JointMoves(Node& job, const RobotDescription& description)
      : job_(job),
        robot_(description),
        task_(read_outputs_and_near(job.at("task"))),
        outputs_(find_outputs(robot_, task_)),
        q_(robot_.coordinates().neutral) {
    for (const DriveLayout& drive : robot_.actuation().drives) joints_.push_back(drive.joint_q);
    for (const auto& [name, value] : task_.near) {
      const int at = robot_.coordinates().find(name);
      if (at < 0)
        job.at("task").at("start").fail("near: '" + shown(name) + "' is not a joint" +
                                        did_you_mean(name, robot_.coordinates().names));
      q_[at] = value;
    }
    start_ = q_;
  }

  void replace(const Node& segment) {
    if (robot_.constraint_count() > 0 || !outputs_.forces.empty())
      segment.fail("moves in joint space are for robots without constraints");
    const std::string at = segment.path();
    if (const auto move = segment.find("joint_move")) {
      move->allow({"from", "to"});
      std::string line;
      const auto from = move->find("from");
      if (from || !moved_)
        line = "from: " + joints_at(from ? point(*from) : reached(start_)) + ", ";
      line += "to: " + joints_at(point(move->at("to")));
      job_.set(at + ".line", Node::read_text("{" + line + "}", move->where()));
      job_.remove(at + ".joint_move");
    } else {
      const Node way = segment.at("joint_waypoints");
      job_.set(at + ".waypoints", way.copy());
      const Node points = way.at("points");
      for (int i = 0; points.is_list() && i < points.size(); ++i) {
        const bool is_long = points[i].is_map() && points[i].has("at");
        const Node given = is_long ? points[i].at("at") : points[i];
        job_.set(fmt::format("{}.waypoints.points.{}{}", at, i, is_long ? ".at" : ""),
                 Node::read_text(joints_at(point(given)), given.where()));
      }
      job_.remove(at + ".joint_waypoints");
    }
  }

  // The joints are the outputs from now on.
  std::string finish() {
    const Vector before = tool_at(first_), after = tool_at(q_);
    std::vector<std::string> names, near, tool;
    for (const int at : joints_) names.push_back(robot_.coordinates().names[at]);
    // joints without a drive stay where start.near has them
    for (const auto& [name, value] : task_.near)
      if (std::find(joints_.begin(), joints_.end(), robot_.coordinates().find(name)) ==
          joints_.end())
        near.push_back(name + ": " + shortest(value));
    for (size_t i = 0; i < joints_.size(); ++i)
      near.push_back(names[i] + ": " + shortest(first_[joints_[i]]));
    const auto shown_value = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };
    for (size_t i = 0; i < task_.outputs.size(); ++i)
      tool.push_back(fmt::format("{} {:.6g} -> {:.6g}", task_.outputs[i], shown_value(before[i]),
                                 shown_value(after[i])));
    const std::string where = job_.at("task").at("outputs").where();
    job_.set("task.outputs", Node::read_text("[" + join(names) + "]", where));
    job_.set("task.start", Node::read_text("{near: {" + join(near) + "}}", where));
    for (const char* key : {"frame", "guide"})
      if (job_.at("task").has(key)) job_.remove(std::string("task.") + key);
    return fmt::format("a move in joint space: the outputs are {}; springs unstretched it goes {}",
                       join(names), join(tool));
  }

 private:
  const Vector& reached(const Vector& q) {
    q_ = q;
    if (!moved_) first_ = q_;
    moved_ = true;
    return q_;
  }

  const Vector& point(const Node& node) {
    if (node.is_text() && node.text() == "start") return reached(start_);
    const auto& names = task_.outputs;
    const bool says_joints = node.is_map() && node.size() > 0 &&
                             std::find(names.begin(), names.end(), node.keys()[0]) == names.end() &&
                             robot_.coordinates().find(node.keys()[0]) >= 0;
    return reached(says_joints ? with_joints(node) : posture_at(node));
  }

  Vector with_joints(const Node& node) const {
    Vector q = q_;
    for (const std::string& name : node.keys()) {
      const int at = robot_.coordinates().find(name);
      if (std::find(joints_.begin(), joints_.end(), at) == joints_.end()) {
        std::vector<std::string> known;
        for (const int joint : joints_) known.push_back(robot_.coordinates().names[joint]);
        node.at(name).fail(fmt::format("'{}' is not a joint with a drive{}", shown(name),
                                       did_you_mean(name, known)));
      }
      q[at] = node.at(name).in(robot_.coordinates().is_angle[at] ? "rad" : "m").number();
    }
    return q;
  }

  // The posture at a point of the outputs that is closest to the one before.
  Vector posture_at(const Node& node) const {
    const Vector y = read_raw_point(node, task_.outputs);
    if (y.hasNaN()) node.fail("say the point in numbers");
    std::map<std::string, double> near;
    for (const int at : joints_) near[robot_.coordinates().names[at]] = q_[at];
    const Postures found = find_postures(
        {robot_, outputs_, y, moving_joints(robot_), q_, PreferredPosture(robot_, near)});
    if (!found.searched)
      node.fail("postures are looked for with up to 7 joints; give the joints by name");
    if (found.q.empty()) node.fail("no posture of the arm reaches this point");
    return found.q.front();
  }

  std::string joints_at(const Vector& q) const {
    std::vector<std::string> numbers;
    for (const int at : joints_) numbers.push_back(shortest(q[at]));
    return "[" + join(numbers) + "]";
  }

  Vector tool_at(const Vector& q) const {
    MechanicsData data(robot_);
    kinematics<double>(robot_, data, q);
    Vector y(outputs_.count());
    output_values(robot_, data, q, Vector(0), outputs_, y);
    return y;
  }

  Node& job_;
  Robot robot_;
  // What a point of the tool is.
  Task task_;
  Outputs outputs_;
  // Coordinates of the driven joints.
  std::vector<int> joints_;
  // nq: at start.near, at the first point and at the last one so far.
  Vector start_, first_, q_;
  bool moved_ = false;
};

}  // namespace

void fill_in_named_points(Node& job) {
  const auto task = job.find("task");
  const auto points = task ? task->find("points") : std::nullopt;
  const auto path = task ? task->find("path") : std::nullopt;
  if (!points || !path) return;
  for (const Node& segment : segments_of(*path))
    for (const Node& point : points_of(segment)) {
      if (!point.is_text() || point.text() == "start" || parse_number(point.text()) ||
          parse_number_with_unit(point.text()))
        continue;
      if (!points->has(point.text()))
        point.fail(fmt::format("'{}' is not one of task.points{}", shown(point.text()),
                               did_you_mean(point.text(), points->keys())));
      job.set(point.path(), points->at(point.text()));
    }
}

std::vector<std::string> fill_in_joint_moves(Node& job, const RobotDescription& robot) {
  const auto task = job.find("task");
  const auto path = task ? task->find("path") : std::nullopt;
  if (!path || !task->has("outputs")) return {};
  std::vector<Node> moves;
  std::optional<Node> other;
  for (const Node& segment : segments_of(*path)) {
    if (!segment.is_map()) continue;
    if (segment.has("joint_move") || segment.has("joint_waypoints"))
      moves.push_back(segment);
    else if (!segment.has("hold"))
      other = segment;
  }
  if (moves.empty()) return {};
  if (other)
    other->fail(
        "cannot be in one task with a move in joint space, whose outputs are the joints: a task "
        "has the same outputs all the time; make it two jobs");
  JointMoves all(job, robot);
  for (const Node& move : moves) all.replace(move);
  return {all.finish()};
}

}  // namespace tauflex
