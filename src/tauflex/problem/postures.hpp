// Postures of an arm: every way to reach what is asked for, the best first.
#pragma once

#include "tauflex/problem/posture_question.hpp"

namespace tauflex {

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

// For up to seven joints that the outputs do not name, for each of several arms that share no
// output. Not tried otherwise.
Postures find_postures(const PostureQuestion& question);

// The joints with a drive; without any drive those that move by themselves.
std::vector<int> moving_joints(const Robot& robot);

}  // namespace tauflex
