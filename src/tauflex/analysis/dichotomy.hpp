// What grows and what decays in the internal dynamics near an equilibrium.            theory (P.15)
#pragma once

#include "tauflex/problem/internal_dynamics.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

// f_y of (s, s') at rest.
Matrix jacobian_at_rest(InternalDynamics& dynamics, double t, const RestState& rest);

// How the internal dynamics behave near an equilibrium of the robot.
struct Dichotomy {
  // of (s, s') at rest
  Matrix J;
  // Rows L_s: what does not grow faster than `rate`
  Matrix stable;
  Matrix unstable;  // rows L_u
  // the equilibrium
  Vector y;
};
// `rate`: 1/s, what grows more slowly counts as stable. Throws ProblemError when the
// internal dynamics have no value there.
Dichotomy dichotomy(InternalDynamics& dynamics, double t, const RestState& rest, double rate);

}  // namespace tauflex
