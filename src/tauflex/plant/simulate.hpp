// Forward simulation: a one-step integrator with error control (SUNDIALS ARKODE) that stops at
// every corner of the torque, so that it never steps across one; implicit of order 5 where springs
// make the plant stiff, explicit of order 8 where there are none. After every step the state is put
// back on the constraints, positions and velocities, so that long runs do not drift. Impacts are
// out of scope: constraints hold from the first to the last time.
#pragma once

#include "tauflex/base/progress.hpp"
#include "tauflex/plant/forward_problem.hpp"
#include "tauflex/plant/simulation.hpp"
#include "tauflex/plant/simulation_options.hpp"

namespace tauflex {

// From (q0, v0) at times[0], put on the constraints first, through all times (increasing).
Simulation simulate(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                    const Vector& times, const SimulationOptions& options = {},
                    const Progress& progress = {});

}  // namespace tauflex
