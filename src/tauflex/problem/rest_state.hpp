// A robot at rest on its path, or why there is no such state; equations/start.hpp finds it.
#pragma once

#include <string>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/base/status.hpp"

namespace tauflex {

struct RestState {
  Status status = Status::solved;
  std::string message;
  Vector q;  // nq
  // drives: holding torques, the least where they are not unique
  Vector u;
  // What the constraints carry then.
  Vector lambda;
  // Which posture it is, of how many; empty where there was no choice.
  std::string choice = {};
  // No posture lies within the ranges of the joints.
  bool out_of_range = false;
  // output_independence() there; 0 at a singular pose
  double independence = 0;
};

}  // namespace tauflex
