// What the outputs shall do: y_d(t) with as many derivatives as asked, defined for all time. A path
// moves on [0, duration] and holds its ends before and after.
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// A time at which a derivative of the path jumps: the lowest one that does.
struct Corner {
  double time;  // s
  // 6 for the ends of a degree-11 rest-to-rest polynomial, which is C^5
  int derivative;
  // The output that jumps.
  int output;
};

class OutputPath {
 public:
  virtual ~OutputPath() = default;
  // Number of outputs.
  virtual int size() const = 0;
  virtual double duration() const = 0;  // s
  // Column k of `y` becomes the k-th time derivative at t; size() x (order + 1), order <= 15.
  // At a corner: the limit from the right. Does not allocate.
  virtual void derivatives(double t, MatrixOut y) const = 0;
  // Ordered by time.
  virtual std::vector<Corner> corners() const = 0;
};

}  // namespace tauflex
