// What the robot is asked to do: outputs, their path, where it starts, how long it holds.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/problem/guide.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

struct Payload {
  // That carries it.
  std::string link;
  LinkInertia inertia;
  // Of the link, for messages.
  std::string where = "payload";
};

struct Task {
  Task();
  // Defaulted in the .cpp file, so that they are compiled once.
  Task(const Task&);
  Task(Task&&) noexcept;
  Task& operator=(const Task&);
  Task& operator=(Task&&) noexcept;
  ~Task();
  // An orientation stands here as its three components, an axis as its two.
  std::vector<std::string> outputs;
  // In which the path is meant; none: the world.
  std::string frame = {};
  // R_0 of each orientation or axis, by the name of its first output
  std::map<std::string, Matrix3> orientations = {};
  // What outputs along, across and above are measured from.
  std::optional<Guide> guide = {};
  std::shared_ptr<const OutputPath> path;
  // The same path with so many continuous derivatives, where it leaves their number open.
  std::function<std::shared_ptr<const OutputPath>(int)> path_as_smooth_as = {};
  // Picks the branch of the start: joint name -> about where.
  std::map<std::string, double> near;
  // "rad" or "m" of those that were written with a unit.
  std::map<std::string, std::string> near_units = {};
  // "arm.yaml:29: task.start.near" of those that stand in a file, for messages.
  std::map<std::string, std::string> near_where = {};
  // More drives than outputs: joints that would be held move so that the torque is least. This is
  // the weight of their deviation, 1/rad^2; none: they are held.                     theory (P.10)
  std::optional<double> least_torque;
  // Carried during this task.
  std::optional<Payload> payload;
  // s, at rest before the path
  double hold_before = 0;
  // s, holding still after it
  double hold_after = 0;
  std::string where = "task";  // for messages
  // What a user should know of the path: how samples were read and smoothed.
  std::vector<std::string> notes = {};
};

Payload read_payload(const Node& node);
Task read_task(const Node& node);

// Without its path: what it asks for and where it starts. Orientations are those in task.frame.
Task read_outputs_and_near(const Node& node);

}  // namespace tauflex
