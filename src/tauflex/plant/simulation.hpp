// What a forward simulation found: the motion of the plant at given times.
#pragma once

#include <string>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/base/status.hpp"

namespace tauflex {

struct Simulation {
  Status status = Status::solved;
  std::string message;
  std::string integrator;
  long steps = 0;
  // The asked times.
  Vector t;
  // One column per time.
  Matrix q, v, vdot, u, lambda;
  // J since the first time, put in by the motors and lost in dampers
  Vector work, dissipated;
};

}  // namespace tauflex
