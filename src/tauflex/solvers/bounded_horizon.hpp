// How long before and after the path the bounded solution is reported, and how much longer it is
// solved: a head and a tail that are discarded. The conditions at both ends are those of a robot
// close to rest; where it is not, they are in error, and the error fades within head and tail.
//                                                                                    theory (P.16)
#pragma once

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

struct BoundedHorizon {
  // The holds for which torques are reported, on samples: never less than those of the task.
  Window reported;
  // With head and tail.
  Window solved;
  // 1/s: what grows more slowly starts at rest and is free at the end.
  double slow = 0;
  // Internal motions that grow faster than that.
  int growing_at_start = 0, growing_at_end = 0;
  // The factor by which the error of the end condition has faded where the reported time ends.
  double end_fading = 1;
};

// Without internal dynamics, or where the robot cannot rest at the end of its path, the holds of
// the task. Throws ProblemError when the internal dynamics are not determined at an end.
BoundedHorizon bounded_horizon(const InverseProblem& problem, const RestState& start,
                               const StableInversionOptions& options);

}  // namespace tauflex
