#include "tauflex/cli/posed_robot.hpp"

#include <fmt/format.h>

#include <sstream>

#include "tauflex/base/text.hpp"
#include "tauflex/base/units.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/planning/plan.hpp"

namespace tauflex {

double number_in(const std::string& text, const std::string& si, const char* option) {
  if (const auto plain = parse_number(text)) return *plain;
  const auto given = parse_number_with_unit(text);
  if (!given || given->si != si)
    throw UsageError(
        fmt::format("{}: expected a number in {}, got '{}'", option, known_units(si), shown(text)));
  return given->value;
}

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
    if (const std::string doubt = degrees_doubt(robot, found, at[name]); !doubt.empty())
      throw UsageError("--at: " + doubt);
  }
  return at;
}

PosedRobot read_posed(const Arguments& arguments) {
  const std::filesystem::path path = arguments.job;
  const auto at_zero = [](const RobotDescription& description) {
    Robot robot(description);
    const Vector q = robot.coordinates().neutral;
    return PosedRobot{std::move(robot), q};
  };
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
  return {posed.problem.robot(), posed.start.q, posed.start.lambda};
}

}  // namespace tauflex
