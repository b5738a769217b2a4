#include "tauflex/problem/task.hpp"

#include <algorithm>

#include "tauflex/base/units.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/model/link_file.hpp"
#include "tauflex/trajectory/hold.hpp"
#include "tauflex/trajectory/output_name.hpp"
#include "tauflex/trajectory/path_file.hpp"

namespace tauflex {

Task::Task() = default;
Task::Task(const Task&) = default;
Task::Task(Task&&) noexcept = default;
Task& Task::operator=(const Task&) = default;
Task& Task::operator=(Task&&) noexcept = default;
Task::~Task() = default;

namespace {

// Rows of an orientation or an axis, from this one on.
struct PartRows {
  Eigen::Index first, count;
};

// Points of a path say orientations as rotation vectors and axes as turns of z; the path itself
// runs in those from the first of them, so that a straight line is the shortest turn.
PointChart chart_of(Task& task, const std::vector<PartRows>& all) {
  if (all.empty()) return {};
  return [&task, all](Vector point) {
    for (const auto& [first, count] : all) {
      auto part = point.segment(first, count);
      if (!part.allFinite()) {  // as at the start
        if (task.orientations.contains(task.outputs[first])) part.setZero();
        continue;
      }
      Vector3 phi = Vector3::Zero();
      phi.head(count) = part;
      const Matrix3 R = rotation_from_vector<double>(phi);
      const auto [found, is_new] = task.orientations.emplace(task.outputs[first], R);
      const Matrix3 turned = found->second.transpose() * R;
      part = (count == 3 ? rotation_vector(turned) : turn_to_direction(turned.col(2))).head(count);
    }
    return point;
  };
}

// Outputs and the frame they are meant in; returns the rows of orientations and axes.
std::vector<PartRows> read_outputs(const Node& node, Task& task) {
  const Node outputs = node.at("outputs");
  if (!outputs.is_list() || outputs.size() == 0)
    outputs.fail("expected a list of outputs, such as [tool.x, tool.z]");
  std::vector<PartRows> with_parts;
  for (int i = 0; i < outputs.size(); ++i) {
    const std::string name = outputs[i].text();
    const OutputName split = split_output_name(name);
    std::vector<std::string> rows;
    for (const OutputParts& parts : outputs_with_parts())
      if (split.component == parts.whole)
        for (const char* part : parts.rows) rows.push_back(split.with(part));
    if (rows.empty())
      rows = {name};
    else
      with_parts.push_back({std::ssize(task.outputs), std::ssize(rows)});
    for (const std::string& row : rows) {
      if (std::find(task.outputs.begin(), task.outputs.end(), row) != task.outputs.end())
        outputs[i].fail("'" + name + "' is asked for twice");
      task.outputs.push_back(row);
    }
  }
  task.where = outputs.where() + ": task.outputs";
  if (const auto frame = node.find("frame")) task.frame = frame->text();
  if (const auto guide = node.find("guide")) task.guide = read_guide(*guide);
  return with_parts;
}

// The path, and how to read it again with another smoothness where it leaves that open.
void read_task_path(const Node& node, Task& task, const std::vector<PartRows>& parts) {
  PathReading reading;
  task.path = read_path(node, task.outputs, chart_of(task, parts), reading);
  task.notes = reading.notes;
  if (!reading.smoothness_is_open) return;
  task.path_as_smooth_as = [node, parts, outputs = task.outputs](int smoothness) {
    Task again;
    again.outputs = outputs;
    PathReading smoother{.smoothness = smoothness};
    return read_path(node, outputs, chart_of(again, parts), smoother);
  };
}

void read_near(const Node& node, Task& task) {
  const auto start = node.find("start");
  if (!start) return;
  start->allow({"near"});
  const auto near = start->find("near");
  if (!near) return;
  for (const std::string& name : near->keys()) {
    const Node value = near->at(name);
    task.near[name] = value.in("rad|m").number();
    task.near_where[name] = value.where() + ": " + near->path();
    if (const auto given = parse_number_with_unit(value.text())) task.near_units[name] = given->si;
  }
}

}  // namespace

Payload read_payload(const Node& node) {
  node.allow({"link", "mass", "com", "inertia"});
  const Node link = node.at("link");
  return {link.text(), read_inertia(node), link.where() + ": " + link.path()};
}

Task read_task(const Node& node) {
  node.allow({"outputs", "frame", "guide", "path", "points", "duration", "start", "posture", "hold",
              "payload", "shape"});  // points and shape are the job's
  Task task;
  task.where = node.where() + ": task";
  if (!node.has("outputs") && node.has("duration")) {
    if (node.has("path")) node.at("path").fail("belongs to outputs, but the task has none");
    // nothing to steer: constraints with paths move the robot
    task.path = std::make_shared<HoldPath>(node.at("duration").in("s").positive());
  } else {
    if (node.has("duration"))
      node.at("duration").fail("belongs to a task without outputs; a path has its own duration");
    const std::vector<PartRows> parts = read_outputs(node, task);
    read_task_path(node.at("path"), task, parts);
  }
  read_near(node, task);
  if (const auto posture = node.find("posture")) {
    posture->allow({"least_torque"});
    task.least_torque = posture->at("least_torque").not_negative();
  }
  if (const auto payload = node.find("payload"); payload && payload->size() > 0) {
    task.payload = read_payload(*payload);
  }
  if (const auto hold = node.find("hold")) {
    hold->allow({"before", "after"});
    if (const auto before = hold->find("before")) task.hold_before = before->in("s").not_negative();
    if (const auto after = hold->find("after")) task.hold_after = after->in("s").not_negative();
  }
  return task;
}

Task read_outputs_and_near(const Node& node) {
  Task task;
  for (const PartRows& rows : read_outputs(node, task))
    task.orientations[task.outputs[rows.first]] = Matrix3::Identity();
  read_near(node, task);
  return task;
}

}  // namespace tauflex
