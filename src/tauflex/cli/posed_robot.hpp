// A robot at a pose, as verbs that need no path take it from the command line.
#pragma once

#include <map>
#include <string>

#include "tauflex/cli/verbs.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

using ByName = std::map<std::string, double>;

struct PosedRobot {
  Robot robot;
  Vector q;
  // Of its constraints at rest, where the start of a task was solved; else empty.
  Vector lambda = {};
};

// A URDF file, a robot file, or a job; the job's robot stands at the start of its task, at 0 where
// --at or --reach says more.
PosedRobot read_posed(const Arguments& arguments);

// "axis1=0.3,axis2=30 deg"
ByName read_at(const Robot& robot, const std::string& text);

// A number of the command line, with a unit of `si` or without.
double number_in(const std::string& text, const std::string& si, const char* option);

}  // namespace tauflex
