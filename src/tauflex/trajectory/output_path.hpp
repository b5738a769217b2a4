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

// What each piece adds to a proof: some times at which the run is measured.
constexpr double numbers_per_piece = 100;

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
  // Ordered times from `from` to `to`, both included. Between two of them is one piece of the path:
  // one formula, which turns back once at most, so that a few samples show where it goes. By
  // default a piece ends at every corner. Throws InputError where they are too many.
  virtual std::vector<double> pieces(double from, double to) const;
};

}  // namespace tauflex
