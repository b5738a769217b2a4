// What is asked of the postures of an arm: where its outputs shall be, and where its joints would
// best be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tauflex/problem/output.hpp"

namespace tauflex {

// The joints are best where `near` names them, else in the middle of their range, else at 0. A
// joint that is named counts a hundred times as much as one that is not, in the square.
struct PreferredPosture {
  PreferredPosture(const Robot& robot, const std::map<std::string, double>& near);

  // |q - preferred|, weighted; lengths in sizes of the robot.
  double distance(const Vector& q) const;

  Vector q;       // nq
  Vector weight;  // nq
};

// By how much joints leave their ranges, rad or m; 0 when none does.
double range_excess(const Robot& robot, const VectorRef& q);
// Of one coordinate at x.
double range_excess(const Robot& robot, int coordinate, double x);
// The joint that does so most: "'elbow' at 2.9 rad, range -2 .. 2.6 rad"; empty when none does.
std::string range_text(const Robot& robot, const VectorRef& q);

// Of a position that cannot be meant in radians: "'elbow' at -38 rad, outside its range ..: did you
// mean degrees? ..", else empty.
std::string degrees_doubt(const Robot& robot, int coordinate, double x);

struct PostureQuestion {
  const Robot& robot;
  Outputs outputs;
  Vector y;
  // Velocities of the joints that may move; the other coordinates stay at `q`.
  std::vector<int> joints;
  Vector q;
  PreferredPosture preferred;
};

}  // namespace tauflex
