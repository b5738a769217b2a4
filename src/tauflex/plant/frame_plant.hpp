// The plant as a frame of finite elements in absolute coordinates under motor torques, by Newmark's
// method: a model and an integrator that share nothing with the tree of links and its recursions
// but the robot's data. A forward finite-element analysis.                            theory (N.7)
#pragma once

#include "tauflex/base/progress.hpp"
#include "tauflex/plant/forward_problem.hpp"
#include "tauflex/plant/simulation.hpp"
#include "tauflex/plant/simulation_options.hpp"

namespace tauflex {

// Throws ProblemError for a plant that no such frame can be made of, InputError for more than
// max_steps steps. Beams start at rest as they hang while the joints are held.
Simulation simulate_frame(ForwardProblem& problem, const VectorRef& q0, const VectorRef& v0,
                          const Vector& times, const FramePlantOptions& options, long max_steps,
                          const Progress& progress);

}  // namespace tauflex
