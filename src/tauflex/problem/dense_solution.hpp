// The answer of a solver at any time of its window, to the accuracy of the method.
#pragma once

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Instant {
  Vector q, v, vdot, lambda, u, y;
  double residual = 0;  // |c(q) - y_d| and |g(q, t)|, m or rad
};

// An object is its own workspace: one per thread.
class DenseSolution {
 public:
  virtual ~DenseSolution() = default;
  // False when an iteration failed. Before and after the window: its ends.
  virtual bool at(double t, Instant& out) = 0;
};

}  // namespace tauflex
