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
  // output_independence() there; 0 at a singular pose
  double independence = 0;
};

}  // namespace tauflex
