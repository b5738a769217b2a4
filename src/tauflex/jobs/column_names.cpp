#include "tauflex/jobs/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/text.hpp"

namespace tauflex {

WantedColumns::WantedColumns(const std::string& name) : frame(name), is_velocity(false) {
  const auto point = name.rfind('.');
  const std::string part = point == std::string::npos ? "" : name.substr(point + 1);
  if (part != "position" && part != "velocity") return;
  frame = name.substr(0, point);
  is_velocity = part == "velocity";
}

std::vector<std::string> read_column_names(const Node& node, const RobotDescription& robot) {
  if (!node.is_list()) node.fail("expected a list of frames: [tool, elbow.velocity]");
  std::vector<std::string> frames, wanted;
  for (const Link& link : robot.links) frames.push_back(link.name);
  for (const FrameDescription& frame : robot.frames) frames.push_back(frame.name);
  for (int i = 0; i < node.size(); ++i) {
    const std::string name = node[i].text(), frame = WantedColumns(name).frame;
    if (std::find(frames.begin(), frames.end(), frame) == frames.end())
      node[i].fail(fmt::format("'{}' is neither a frame nor a link{}", shown(frame),
                               did_you_mean(frame, frames)));
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      node[i].fail(fmt::format("'{}' stands here twice", shown(name)));
    wanted.push_back(name);
  }
  return wanted;
}

}  // namespace tauflex
