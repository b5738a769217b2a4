// Forward simulation: a one-step integrator with error control (SUNDIALS ARKODE) that stops at
// every corner of the torque, so that it never steps across one; implicit of order 5 where springs
// make the plant stiff, explicit of order 8 where there are none. After every step the state is put
// back on the constraints, positions and velocities, so that long runs do not drift. Impacts are
// out of scope: constraints hold from the first to the last time.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/progress.hpp"
#include "tauflex/base/status.hpp"
#include "tauflex/plant/forward_problem.hpp"

namespace tauflex {

struct Field;

struct SimulationOptions {
  double relative_tolerance = 1e-10;
  // rad, m, and per second
  double absolute_tolerance = 1e-12;
  // Of the whole run, besides one for each sample and each corner of the torque.
  long max_steps = 500'000;

  std::vector<Field> fields();
  void check() const;
};

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

// From (q0, v0) at times[0], put on the constraints first, through all times (increasing).
Simulation simulate(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                    const Vector& times, const SimulationOptions& options = {},
                    const Progress& progress = {});

}  // namespace tauflex
