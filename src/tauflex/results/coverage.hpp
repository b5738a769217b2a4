// Which part of a task's time torques are for. A table that ends early, begins late or belongs to
// another time proves nothing about the rest.
#pragma once

#include <string>

#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

struct Coverage {
  // s: the common part of both times
  double from = 0, to = 0;
  // Of the task's time, 0 .. 1; exactly 1 when all of it is covered.
  double share = 1;

  bool is_whole() const { return share == 1; }
};

Coverage coverage(const InverseProblem& problem, const Vector& t);

// "the torques are for t = 0 .. 0.15 s, 50 % of the task's 0 .. 0.3 s"
std::string coverage_text(const InverseProblem& problem, const Coverage& covered);

}  // namespace tauflex
