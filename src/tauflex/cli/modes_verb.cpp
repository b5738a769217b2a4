// tauflex modes: natural frequencies of a robot at a pose.
#include <fmt/format.h>

#include <iostream>

#include "tauflex/cli/posed_robot.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/report/modes_text.hpp"

namespace tauflex {

ExitCode modes_verb(const Arguments& arguments) {
  PosedRobot posed = read_posed(arguments);
  const Robot& robot = posed.robot;
  for (const auto& [name, value] : read_at(robot, arguments.at))
    posed.q[robot.coordinates().find(name)] = value;
  normalize(robot, posed.q);
  if (posed.lambda.size() == 0) posed.q = settled(robot, assemble(robot, 0, posed.q));
  const ModesReport report{robot, posed.q, arguments.free,
                           natural_modes(robot, posed.q, posed.lambda, !arguments.free)};
  std::cout << (arguments.json ? modes_json(report) : modes_text(report));
  return ExitCode::success;
}

}  // namespace tauflex
