// Forward simulation: a stiff one-step integrator with error control (SUNDIALS ARKODE, implicit
// Runge-Kutta of order 5) that stops at every corner of the torque, so that it never steps across
// one.
#pragma once

#include <string>

#include "tauflex/base/progress.hpp"
#include "tauflex/base/status.hpp"
#include "tauflex/problem/forward_problem.hpp"

namespace tauflex {

struct SimulationOptions {
  double relative_tolerance = 1e-10;
  double absolute_tolerance = 1e-12;  // rad, m, and per second
  long max_steps = 2'000'000;
  void check() const;
};

struct Simulation {
  Status status = Status::solved;
  std::string message;
  long steps = 0;
  Vector t;                 // the asked times
  Matrix q, v, u;           // one column per time
  Vector work, dissipated;  // J since the first time, put in by the motors and lost in dampers
};

inline constexpr const char* integrator_name = "SUNDIALS ARKODE, ARK5(4)8L[2]SA DIRK";

// From (q0, v0) at times[0] through all times (increasing).
Simulation simulate(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                    const Vector& times, const SimulationOptions& options = {},
                    const Progress& progress = {});

}  // namespace tauflex
