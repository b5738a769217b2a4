// The mass matrix of what is left to integrate while the outputs stand still:         theory (P.14)
//   M_p T,   M_p: rows of joints p without a drive, T: how all joints move with those
// The mass matrix of a free robot is positive definite. Where this one has negative eigenvalues a
// force accelerates internal motions against its own direction, and torques that begin with the
// path diverge.
#pragma once

#include <optional>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

struct InternalInertia {
  // Eigenvalues with a negative real part, of how many.
  int negative = 0, count = 0;
};

// At a pose where the robot rests. None without internal dynamics, where constraint forces that no
// output prescribes are among their unknowns, and where joints without a drive do not determine how
// the others move.
std::optional<InternalInertia> internal_inertia(const InverseProblem& problem,
                                                const RestState& start);

}  // namespace tauflex
