#include "tauflex/problem/find_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/frame_motion.hpp"

namespace tauflex {

namespace {

// "tool.x" is component "x" of "tool"; without a point all of it is the first.
struct SplitName {
  std::string of, component;
};
SplitName split(const std::string& name) {
  const auto point = name.rfind('.');
  if (point == std::string::npos) return {name, ""};
  return {name.substr(0, point), name.substr(point + 1)};
}

// The frame in which a task is meant.
const Frame& task_frame(const Robot& robot, const Task& task) {
  if (task.frame.empty() || task.frame == "world") return world_frame;
  const int found = robot.find_frame(task.frame);
  if (found >= 0) return robot.frames()[found];
  std::vector<std::string> names;
  for (const Frame& frame : robot.frames()) names.push_back(frame.name);
  throw InputError(fmt::format("{}: frame '{}' does not exist{}", task.where, task.frame,
                               did_you_mean(task.frame, names)));
}

[[noreturn]] void fail_unknown(const Robot& robot, const Task& task, const std::string& name) {
  const auto& [of, component] = split(name);
  if (robot.find_frame(of) >= 0 && (component == "rx" || component == "ry" || component == "rz"))
    throw InputError(fmt::format("{}: '{}' alone is not an orientation; take {}.orientation",
                                 task.where, name, of));
  for (const std::string& row : robot.redundant_constraints())
    if (row + ".force" == name)
      throw InputError(
          fmt::format("{}: '{}' is not determined: other constraints hold the robot in "
                      "the same direction",
                      task.where, name));
  std::vector<std::string> known = robot.coordinates().names;
  for (const Frame& frame : robot.frames())
    for (const char* part : {".x", ".y", ".z", ".orientation"}) known.push_back(frame.name + part);
  for (const ConstraintRow& row : robot.constraints()) known.push_back(row.name + ".force");
  throw InputError(fmt::format(
      "{}: '{}' is neither a position (frame.x, .y, .z) nor a joint nor a rotor nor the "
      "force of a constraint{}",
      task.where, name, did_you_mean(name, known)));
}

std::optional<CoordinateOutput> find_coordinate(const Robot& robot, const Task& task,
                                                const std::string& name) {
  const int q = robot.coordinates().find(name);
  if (q < 0) return std::nullopt;
  for (int v = 0; v < robot.nv(); ++v)
    if (robot.coordinates().of_velocity[v] == q) return CoordinateOutput{q, v};
  throw InputError(
      fmt::format("{}: '{}' is part of a quaternion and cannot be an output", task.where, name));
}

std::optional<ForceOutput> find_force(const Robot& robot, const std::string& name) {
  const auto& [of, component] = split(name);
  for (int row = 0; row < robot.constraint_count(); ++row)
    if (component == "force" && robot.constraints()[row].name == of) return ForceOutput{row};
  return std::nullopt;
}

// One component of a position.
std::optional<PositionOutput> find_position(const Robot& robot, const Frame& reference,
                                            const std::string& name) {
  const auto& [of, component] = split(name);
  const int frame = robot.find_frame(of);
  const auto axis = std::string("xyz").find(component);
  if (frame < 0 || component.size() != 1 || axis == std::string::npos) return std::nullopt;
  return PositionOutput{frame, reference, {static_cast<int>(axis)}};
}

OrientationOutput find_orientation(const Robot& robot, const Task& task, const std::string& name,
                                   const Matrix3& R_0) {
  const int frame = robot.find_frame(split(name).of);
  if (frame < 0) throw InputError(fmt::format("{}: there is no frame for '{}'", task.where, name));
  OrientationOutput output{frame, task_frame(robot, task)};
  output.reference.X_BF.R *= R_0;
  return output;
}

}  // namespace

Outputs find_outputs(const Robot& robot, const Task& task) {
  const Frame& reference = task_frame(robot, task);
  Outputs outputs;
  // the next row, as part of a group
  const auto add_row = [&](OutputGroup& group) {
    const int row = outputs.count();
    outputs.rows.push_back({task.outputs[row], group.quantity});
    group.rows.push_back(row);
    if (const auto* force = std::get_if<ForceOutput>(&group.rule))
      outputs.forces.push_back({row, force->constraint});
    else
      outputs.motions.push_back(row);
  };
  const auto add_group = [&](OutputRule rule, Quantity quantity) -> OutputGroup& {
    return outputs.groups.emplace_back(OutputGroup{std::move(rule), quantity, {}});
  };
  const auto add_position = [&](const PositionOutput& component) {
    for (OutputGroup& group : outputs.groups)
      if (auto* known = std::get_if<PositionOutput>(&group.rule);
          known && known->frame == component.frame) {
        known->axes.push_back(component.axes.front());
        return add_row(group);
      }
    add_row(add_group(component, Quantity::length));
  };
  while (outputs.rows.size() < task.outputs.size()) {
    const std::string& name = task.outputs[outputs.rows.size()];
    if (const auto R_0 = task.orientations.find(name); R_0 != task.orientations.end()) {
      OutputGroup& group =
          add_group(find_orientation(robot, task, name, R_0->second), Quantity::angle);
      for (int k = 0; k < 3; ++k) add_row(group);
    } else if (const auto coordinate = find_coordinate(robot, task, name)) {
      add_row(add_group(*coordinate, robot.coordinates().is_angle[coordinate->q]
                                         ? Quantity::angle
                                         : Quantity::length));
    } else if (const auto force = find_force(robot, name)) {
      add_row(add_group(*force, Quantity::force));
    } else if (const auto component = find_position(robot, reference, name)) {
      add_position(*component);
    } else {
      fail_unknown(robot, task, name);
    }
  }
  return outputs;
}

}  // namespace tauflex
