#include "tauflex/problem/task.hpp"

#include <algorithm>

#include "tauflex/base/units.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/model/link_file.hpp"
#include "tauflex/trajectory/hold.hpp"
#include "tauflex/trajectory/path_file.hpp"

namespace tauflex {

Task::Task() = default;
Task::Task(const Task&) = default;
Task::Task(Task&&) noexcept = default;
Task& Task::operator=(const Task&) = default;
Task& Task::operator=(Task&&) noexcept = default;
Task::~Task() = default;

namespace {

// Points of a path say orientations as rotation vectors; the path itself runs in rotation vectors
// from the first of them, so that a straight line is the shortest turn.
PointChart chart_of(Task& task, const std::vector<Eigen::Index>& first) {
  if (first.empty()) return {};
  return [&task, first](Vector point) {
    for (const Eigen::Index i : first) {
      if (!point.segment<3>(i).allFinite()) {  // as at the start
        if (task.orientations.contains(task.outputs[i])) point.segment<3>(i).setZero();
        continue;
      }
      const Matrix3 R = rotation_from_vector<double>(Vector3(point.segment<3>(i)));
      const auto [found, is_new] = task.orientations.emplace(task.outputs[i], R);
      point.segment<3>(i) = rotation_vector(found->second.transpose() * R);
    }
    return point;
  };
}

// Outputs and the frame they are meant in; returns where orientations start.
std::vector<Eigen::Index> read_outputs(const Node& node, Task& task) {
  const Node outputs = node.at("outputs");
  if (!outputs.is_list() || outputs.size() == 0)
    outputs.fail("expected a list of outputs, such as [tool.x, tool.z]");
  std::vector<Eigen::Index> orientations;
  for (int i = 0; i < outputs.size(); ++i) {
    const std::string name = outputs[i].text();
    if (std::find(task.outputs.begin(), task.outputs.end(), name) != task.outputs.end())
      outputs[i].fail("'" + name + "' is asked for twice");
    constexpr std::string_view orientation = ".orientation";
    if (name.ends_with(orientation)) {
      const std::string frame = name.substr(0, name.size() - orientation.size());
      orientations.push_back(static_cast<Eigen::Index>(task.outputs.size()));
      for (const char* part : {".rx", ".ry", ".rz"}) task.outputs.push_back(frame + part);
    } else {
      task.outputs.push_back(name);
    }
  }
  task.where = outputs.where() + ": task.outputs";
  if (const auto frame = node.find("frame")) task.frame = frame->text();
  return orientations;
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
  node.allow({"outputs", "frame", "path", "duration", "start", "posture", "hold", "payload",
              "shape"});  // the last is the job's: it needs solutions
  Task task;
  task.where = node.where() + ": task";
  if (!node.has("outputs") && node.has("duration")) {
    if (node.has("path")) node.at("path").fail("belongs to outputs, but the task has none");
    // nothing to steer: constraints with paths move the robot
    task.path = std::make_shared<HoldPath>(node.at("duration").in("s").positive());
  } else {
    if (node.has("duration"))
      node.at("duration").fail("belongs to a task without outputs; a path has its own duration");
    const std::vector<Eigen::Index> orientations = read_outputs(node, task);
    task.path = read_path(node.at("path"), task.outputs, chart_of(task, orientations), &task.notes);
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
  for (const Eigen::Index i : read_outputs(node, task))
    task.orientations[task.outputs[i]] = Matrix3::Identity();
  read_near(node, task);
  return task;
}

}  // namespace tauflex
