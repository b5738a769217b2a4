// Collocation at Radau points: nodes c and weights A of the s-stage Radau IIA method on [0, 1], of
// order 2 s - 1, stiffly accurate: the last stage is the end of the step.
//   Y_i = y_0 + h sum_j A_ij f(Y_j)
#pragma once

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct RadauMethod {
  explicit RadauMethod(int stages);
  Vector c;
  Matrix A;
};

}  // namespace tauflex
