// Torques from elsewhere, and what the proof has to know before it can be fed with them.
#pragma once

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// Restarts and feedback need the motion that belongs to the torques.
struct TorqueTable {
  Solution solution;
  // Else q stays at the start.
  bool has_motion = false;
};

// The table as the proof needs it. Where its last row stands no further from the end of the task
// than from the row before, it holds until the end, as a controller would hold it. Where it begins
// with the task, the motion begins at rest at the start of the task, whatever its first row says.
// Throws InputError where no part of the task is covered, or where the state at a later first row
// is not known.
TorqueTable on_task(const InverseProblem& problem, const RestState& start, TorqueTable table);

}  // namespace tauflex
