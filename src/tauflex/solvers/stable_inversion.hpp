// Stable inversion: the solution of the internal dynamics that stays bounded, as a boundary value
// problem over the whole window.                                                       theory
// (P.15)
//   y = (s, s'),  y' = f(t, y)
//   at the left end  what decays or stays is at rest:  L_s (y - equilibrium) = 0
//   at the right end what grows is at rest:            L_u (y - equilibrium) = 0
// Gauss collocation of order 8 with exact Jacobians; blocks are eliminated by orthogonal
// transformations from left to right, so that cost is linear in the number of steps. The mesh is
// refined where the solution misses its equation, and torques follow by jets.
#pragma once

#include "tauflex/solvers/jets.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// How the internal dynamics behave near an equilibrium of the robot.
struct Dichotomy {
  Matrix J;         // of (s, s') at rest
  Matrix stable;    // rows L_s: what does not grow faster than `rate`
  Matrix unstable;  // rows L_u
  Vector y;         // the equilibrium
};
// `rate`: 1/s, what grows more slowly is left to go with time. Throws ProblemError when the
// internal dynamics have no value there.
Dichotomy dichotomy(InternalDynamics& dynamics, double t, const RestState& rest, double rate);

// The problem with as much time before and after the path as a method needs: for stable inversion
// until what grows began, and what decays has decayed, to 1e-10; at most 0.5 s unless asked for.
InverseProblem with_window(const InverseProblem& problem, const RestState& start,
                           const Method& method);

std::optional<StepFailure> solve_stably(const InverseProblem& problem, const RestState& start,
                                        const StableInversionOptions& options, const TimeGrid& grid,
                                        const Progress& progress, Solution& solution);

}  // namespace tauflex
