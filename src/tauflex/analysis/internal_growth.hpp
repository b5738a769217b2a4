// Whether feedforward torques alone can hold a motion: how a disturbance of the internal state
// grows along it.                                                                     theory (A.9)
//   Phi(t, t0) of dy' = f_y(t) dy,  y = (s, s')
// Zeros at single poses only indicate it; Phi decides.
#pragma once

#include <optional>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

struct InternalGrowth {
  // The largest |ds(t)/ds(0)|.
  double largest = 1;
  // s, where it is largest
  double t = 0;
  // s, where it first exceeds 1000
  std::optional<double> first_loss;
  // Independent disturbances by their size at the end: ten times and more, between, a tenth and
  // less.
  int growing = 0, marginal = 0, decaying = 0;
};

// None for problems without internal dynamics, where jets do not apply, and where an orientation
// that is integrated turns far from the start: towards half a turn coordinates would seem to grow.
std::optional<InternalGrowth> internal_growth(const InverseProblem& problem, const RestState& start,
                                              const Solution& solution);

}  // namespace tauflex
