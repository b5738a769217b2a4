// Whether a motion is one that torques sent from its start can hold: how the internal state changes
// along it when it is disturbed.                                                      theory (A.9)
//   Phi(t, t0) of dy' = f_y(t) dy,  y = (s, s')
// The frozen zeros are an indicator, this is the certificate.
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
  // Independent disturbances that are ten times as large at the end, ten times as small, or
  // between.
  int growing = 0, marginal = 0, decaying = 0;
};

// None for problems without internal dynamics, where jets do not apply, and where an orientation
// that is integrated turns far from the start: towards half a turn coordinates would seem to grow.
std::optional<InternalGrowth> internal_growth(const InverseProblem& problem, const RestState& start,
                                              const Solution& solution);

}  // namespace tauflex
