// Integration of the internal dynamics s'' = f(t, s, s') from rest on, by collocation of order 9 at
// five Radau points.                                                                 theory (P.14)
#pragma once

#include "tauflex/solvers/jet_motion.hpp"

namespace tauflex {

// Integrates the internal dynamics from rest on into `motion`, `steps` over the whole window and at
// least five between corners of the path; a fifth fewer in each such segment when asked for. False
// when an iteration failed: see motion.failed_at(). `iterations` counts evaluations.
bool integrate(JetMotion& motion, int steps, long& iterations, bool fewer = false);

// Steps that are likely enough for a tolerance.
int first_steps(JetMotion& motion, double tolerance);

}  // namespace tauflex
