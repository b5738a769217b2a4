// tauflex pose: where the tool is, and how it gets somewhere.
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "tauflex/base/text.hpp"
#include "tauflex/base/units.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/model/urdf_file.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/report/pose_report.hpp"

namespace tauflex {

namespace {

using ByName = std::map<std::string, double>;

struct PosedRobot {
  Robot robot;
  Vector q;
};

// A number of the command line, with a unit of `si` or without.
double number_in(const std::string& text, const std::string& si, const char* option) {
  if (const auto plain = parse_number(text)) return *plain;
  const auto given = parse_number_with_unit(text);
  if (!given || given->si != si)
    throw UsageError(
        fmt::format("{}: expected a number in {}, got '{}'", option, known_units(si), shown(text)));
  return given->value;
}

// "axis1=0.3,axis2=30 deg"
ByName read_at(const Robot& robot, const std::string& text) {
  ByName at;
  std::stringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      throw UsageError("--at: expected joint=position pairs, as in axis1=0.3,axis2='30 deg'");
    std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    name.erase(0, name.find_first_not_of(' '));
    const int found = robot.coordinates().find(name);
    if (found < 0)
      throw UsageError(fmt::format("--at: '{}' is not a joint{}", shown(name),
                                   did_you_mean(name, robot.coordinates().names)));
    at[name] = number_in(value, robot.coordinates().is_angle[found] ? "rad" : "m", "--at");
  }
  return at;
}

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

// A URDF file, a robot file, or a job; the job's robot stands at the start of its task.
PosedRobot read_posed(const Arguments& arguments) {
  const std::filesystem::path path = arguments.job;
  const auto at_zero = [](const RobotDescription& description) {
    Robot robot(description);
    const Vector q = robot.coordinates().neutral;
    return PosedRobot{std::move(robot), q};
  };
  if (path.extension() == ".urdf") return at_zero(read_urdf(path));
  const Node node = read_job_node(path, arguments.overrides());
  if (!node.has("robot")) return at_zero(read_robot(node));
  if (!node.has("task") || !arguments.at.empty() || !arguments.reach.empty()) {
    if (!node.has("task") && !node.has("simulation")) return at_zero(read_robot(node.at("robot")));
    const Job job = read_job(node, path.stem().string());
    return at_zero(job.task.payload
                       ? with_payload(job.robot, job.task.payload->link, job.task.payload->inertia)
                       : job.robot);
  }
  const Posed posed = plan(read_job(node, path.stem().string()));
  return {posed.problem.robot(), posed.start.q};
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
  } else {
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
  const Frame& frame = meant_frame(robot, arguments.frame);
  const ByName at = read_at(robot, arguments.at);
  if (!arguments.reach.empty()) return reach_place(arguments, robot, frame, at);
  for (const auto& [name, value] : at) posed.q[robot.coordinates().find(name)] = value;
  normalize(robot, posed.q);
  const ToolPose pose = tool_pose(robot, frame, assemble(robot, 0, posed.q));
  std::cout << (arguments.json ? tool_pose_json(robot, pose) : tool_pose_text(robot, pose));
  return ExitCode::success;
}

}  // namespace tauflex
