// What the robot is asked to do: outputs, their path, where it starts, how long it holds.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

struct Payload {
  std::string link;  // that carries it
  LinkInertia inertia;
};

struct Task {
  Task();
  // The compiler makes these once, in the .cpp file.
  Task(const Task&);
  Task(Task&&) noexcept;
  Task& operator=(const Task&);
  Task& operator=(Task&&) noexcept;
  ~Task();
  std::vector<std::string> outputs;  // an orientation stands here as its three components
  std::string frame = {};            // in which the path is meant; none: the world
  std::map<std::string, Matrix3> orientations = {};  // R_0 of each, by the name of its first output
  std::shared_ptr<const OutputPath> path;
  std::map<std::string, double> near;  // picks the branch of the start: joint name -> about where
  // More drives than outputs: joints that would be held move so that the torque is least. This is
  // the weight of their deviation, 1/rad^2; none: they are held.                     theory (P.10)
  std::optional<double> least_torque;
  std::optional<Payload> payload;  // carried during this task
  double hold_before = 0;          // s, at rest before the path
  double hold_after = 0;           // s, holding still after it
  std::string where = "task";      // for messages
};

Task read_task(const Node& node);

}  // namespace tauflex
