// The answer of a solver: the motion and the torques on a grid of times, and how it was found.
#pragma once

#include <memory>
#include <string>

#include "tauflex/base/status.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/problem/window.hpp"

namespace tauflex {

struct Solution {
  Solution();
  // The compiler makes these once, in the .cpp file.
  Solution(const Solution&);
  Solution(Solution&&) noexcept;
  Solution& operator=(const Solution&);
  Solution& operator=(Solution&&) noexcept;
  ~Solution();
  Status status = Status::solved;
  std::string message;  // one sentence when not solved: time, equation, reason

  std::string method;  // "bdf blockwise"
  int order = 0;
  double step = 0;  // s
  int steps = 0;
  long newton_iterations = 0;
  long integrator_steps = 0;  // of a variable-step method; else 0
  double solve_seconds = 0;
  double max_constraint_residual = 0;  // |c(q) - y_d| and |g(q, t)|, m or rad
  double start_offset = 0;  // rad or m: how far the answer would already be from rest at its start
  double torque_error_estimate = 0;  // N m or N, largest, from the method itself; 0: it has none
  // Of Newton's matrix halfway, as it is and as it was scaled; 0 if not computed.
  double condition_unscaled = 0, condition = 0;

  // The holds that were solved: those of the problem, or longer ones where the method needs them.
  Window window;

  // One column per time; the first steps + 1 columns hold the answer.
  Vector t;                              // s
  Matrix q, v, vdot;                     // nq, nv, nv rows
  Matrix u;                              // drives
  Matrix lambda;                         // multipliers of the constraint rows, N or N m
  Matrix y;                              // outputs, c(q)
  std::shared_ptr<DenseSolution> dense;  // at any time; only some methods have it
};

}  // namespace tauflex
