// The answer of a solver at any time of its window, to the accuracy of the method.
#pragma once

#include <mutex>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Instant {
  Vector q, v, vdot, lambda, u, y;
  // |c(q) - y_d| and |g(q, t)|, m or rad
  double residual = 0;
};

// May be read by several threads; they take turns.
class DenseSolution {
 public:
  virtual ~DenseSolution() = default;
  // False when an iteration failed. Before and after the window: its ends.
  bool at(double t, Instant& out) {
    const std::lock_guard<std::mutex> turn(mutex_);
    return evaluate(t, out);
  }

 private:
  virtual bool evaluate(double t, Instant& out) = 0;
  std::mutex mutex_;
};

}  // namespace tauflex
