// Collocation on [0, 1] with s stages: nodes c, weights A and b.
//   Y_i = y_0 + h sum_j A_ij f(Y_j),   y_1 = y_0 + h sum_j b_j f(Y_j)
// Radau IIA: order 2 s - 1, stiffly accurate, the last stage is the end of the step.
// Gauss: order 2 s, symmetric, as good for what grows as for what decays.
#pragma once

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Collocation {
  Vector c, b;
  Matrix A;
};

Collocation radau(int stages);
Collocation gauss(int stages);

// Those that solvers use, made once.
constexpr int radau_stages = 5, gauss_stages = 4;
const Collocation& radau5();
const Collocation& gauss4();

}  // namespace tauflex
