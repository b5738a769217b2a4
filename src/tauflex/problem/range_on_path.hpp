// Whether an arm that starts in a posture stays within the ranges of its joints on its path.
#pragma once

#include <vector>

#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// By how much joints leave their ranges, rad or m, when `joints` (velocities) bring the outputs
// from posture q along the path, springs unstretched and the other coordinates at rest; 0 when none
// does, infinite where the path cannot be followed. At a few times: what a start is chosen by, no
// proof.
double range_excess_on_path(const InverseProblem& problem, const std::vector<int>& joints,
                            const Vector& q);

// The first of some postures that stays within the ranges goes to the front; the order of the
// others stays, and all when none does.
void prefer_within_ranges(const InverseProblem& problem, const std::vector<int>& joints,
                          std::vector<Vector>& postures);

}  // namespace tauflex
