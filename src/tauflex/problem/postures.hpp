// Postures of an arm: where its joints would best be, and every way to reach what is asked for, the
// best first.
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
// The joint that does so most: "'elbow' at 2.9 rad, range -2 .. 2.6 rad"; empty when none does.
std::string range_text(const Robot& robot, const VectorRef& q);

struct PostureQuestion {
  const Robot& robot;
  Outputs outputs;
  Vector y;
  // Velocities of the joints that may move; the other coordinates stay at `q`.
  std::vector<int> joints;
  Vector q;
  PreferredPosture preferred;
};

struct Postures {
  // Those within the ranges of their joints first, of these the one closest to the preferred
  // posture. Angles are within their limits where full turns can put them there.
  std::vector<Vector> q;
  // False where it was not tried: then there are none here.
  bool searched = false;
  // There are more joints than outputs. The postures are then not all, but one for each way to bend
  // the arm, as close to the preferred posture as its own motion allows.
  bool redundant = false;
};

// For up to seven joints that the outputs do not name. Not tried otherwise.
Postures find_postures(const PostureQuestion& question);

// The joints with a drive; without any drive those that move by themselves.
std::vector<int> moving_joints(const Robot& robot);

}  // namespace tauflex
