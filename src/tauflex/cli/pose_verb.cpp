// tauflex pose: where the tool is, and how it gets somewhere.
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "tauflex/base/text.hpp"
#include "tauflex/cli/posed_robot.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/report/pose_report.hpp"

namespace tauflex {

namespace {

// "x y z" or "x y z rx ry rz"; commas may stand between them.
Vector read_place(std::string text) {
  for (char& c : text)
    if (c == ',') c = ' ';
  std::vector<double> numbers;
  std::stringstream words(text);
  for (std::string word; words >> word;)
    numbers.push_back(number_in(word, numbers.size() < 3 ? "m" : "rad", "--reach"));
  if (numbers.size() != 3 && numbers.size() != 6)
    throw UsageError(fmt::format(
        "--reach: expected x y z, or x y z and a rotation vector rx ry rz, got {} numbers",
        numbers.size()));
  return Eigen::Map<Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

// A word of the command line that is wrong has its option in front.
const Frame& asked_frame(const Robot& robot, const std::string& name) {
  try {
    return meant_frame(robot, name);
  } catch (const InputError& error) {
    throw UsageError(std::string("--frame: ") + error.what());
  }
}

ExitCode reach_place(const Arguments& arguments, const Robot& robot, const Frame& frame,
                     const ByName& near) {
  const Vector place = read_place(arguments.reach);
  const Postures found = reaching(robot, frame, place, near);
  std::vector<int> joints;
  for (const int v : moving_joints(robot))
    if (moves(robot, v, frame.body)) joints.push_back(v);
  const PostureReport report{robot, frame, found, joints};
  if (arguments.json) {
    std::cout << postures_json(report);
  } else if (!found.q.empty()) {
    fmt::print(
        "{} {} there{}\n", counted(found.q.size(), "posture"), found.q.size() == 1 ? "is" : "are",
        found.redundant ? ", one for each way to bend the arm, which has joints to spare" : "");
    std::cout << postures_text(report);
  }
  if (found.q.empty()) throw ProblemError(fmt::format("{} cannot get there", frame.name));
  return ExitCode::success;
}

}  // namespace

ExitCode pose_verb(const Arguments& arguments) {
  PosedRobot posed = read_posed(arguments);
  const Robot& robot = posed.robot;
  for (const std::string& note : robot.description().notes) fmt::print(stderr, "note: {}\n", note);
  const Frame& frame = asked_frame(robot, arguments.frame);
  const ByName at = read_at(robot, arguments.at);
  if (!arguments.reach.empty()) return reach_place(arguments, robot, frame, at);
  for (const auto& [name, value] : at) posed.q[robot.coordinates().find(name)] = value;
  normalize(robot, posed.q);
  const ToolPose pose = tool_pose(robot, frame, assemble(robot, 0, posed.q));
  std::cout << (arguments.json ? tool_pose_json(robot, pose) : tool_pose_text(robot, pose));
  return ExitCode::success;
}

}  // namespace tauflex
