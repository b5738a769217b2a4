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
  // Defaulted in the .cpp file, so that they are compiled once.
  Solution(const Solution&);
  Solution(Solution&&) noexcept;
  Solution& operator=(const Solution&);
  Solution& operator=(Solution&&) noexcept;
  ~Solution();
  Status status = Status::solved;
  // One sentence when not solved: time, equation, reason.
  std::string message;

  // "bdf blockwise"
  std::string method;
  int order = 0;
  double step = 0;  // s
  int steps = 0;
  long newton_iterations = 0;
  // Of a variable-step method; else 0.
  long integrator_steps = 0;
  double solve_seconds = 0;
  // |c(q) - y_d| and |g(q, t)|, m or rad
  double max_constraint_residual = 0;
  // rad or m: how far the answer would already be from rest at its start
  double start_offset = 0;
  // N m or N, of each drive: how far u may be off at any time, as the method itself measured it.
  // Empty: it states none.
  Vector torque_errors;
  // rad or m, of each coordinate of q: how far it may be off. Empty: the method states none.
  Vector motion_errors;
  // The largest error of a torque; 0 when none is stated.
  double largest_torque_error() const;
  // Of Newton's matrix halfway, as it is and as it was scaled; 0 if not computed.
  double condition_unscaled = 0, condition = 0;
  // Newton iterations of each step, one per column; empty where the method takes no steps of its
  // own from column to column.
  Vector iterations;
  // Condition of Newton's matrix, scaled, at some times: rows t (s) and condition; may be empty.
  Matrix conditions;

  // The holds that were solved: those of the problem, or longer ones where the method needs them.
  Window window;

  // One column per time; the first steps + 1 columns hold the answer.
  Vector t;  // s
  // nq, nv, nv rows
  Matrix q, v, vdot;
  Matrix u;  // drives
  // Multipliers of the constraint rows, N or N m.
  Matrix lambda;
  // outputs, c(q)
  Matrix y;
  // At any time; only some methods have it.
  std::shared_ptr<DenseSolution> dense;
};

}  // namespace tauflex
