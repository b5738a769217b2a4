// What `tauflex pose` and `tauflex check --poses` print, as text and as JSON.
#pragma once

#include <string>

#include "tauflex/jobs/tool_pose.hpp"

namespace tauflex {

std::string tool_pose_text(const Robot& robot, const ToolPose& pose);
std::string tool_pose_json(const Robot& robot, const ToolPose& pose);

// A list of postures, numbered, with names where they have some, the pose of a frame and the
// closest limit of each. `joints`: velocities of the joints that tell them apart.
struct PostureReport {
  const Robot& robot;
  const Frame& frame;
  const Postures& postures;
  std::vector<int> joints;
};
std::string postures_text(const PostureReport& report);
std::string postures_json(const PostureReport& report);

}  // namespace tauflex
