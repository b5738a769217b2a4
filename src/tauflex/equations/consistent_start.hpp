// The start of a motion: of all postures with the outputs at the beginning of the path the one
// closest to start.near, or to the middle of the joint ranges, at rest.
#pragma once

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/postures.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

// Postures at the beginning of the path, springs unstretched. None where outputs and constraints do
// not determine the joints one by one, or where there are too many joints.
Postures start_postures(const InverseProblem& problem);

// Throws ProblemError when the start cannot be reached or is singular, or when a constraint fixes
// an output.
RestState consistent_start(const InverseProblem& problem);

}  // namespace tauflex
