// Columns that a job asks for, key `columns`: [tool, elbow.velocity].
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// "tool", or "tool.position": where the frame is; "tool.velocity": how it moves.
struct WantedColumns {
  explicit WantedColumns(const std::string& name);

  std::string frame;
  bool is_velocity;
};

// Throws InputError for a frame that the robot does not have.
std::vector<std::string> read_column_names(const Node& node, const RobotDescription& robot);

}  // namespace tauflex
