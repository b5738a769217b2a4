// Singular poses on a motion, and motions that change from one solution of outputs and constraints
// to another: an elbow that flips.
#pragma once

#include <string>

#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// The least regularity of a motion, and where.
struct MotionRegularity {
  struct Least {
    double value = 1;
    // s
    double t = 0;
    // nq
    Vector q = {};
  };
  Least outputs, loops, coupling;
  // Rows outputs, loops, coupling at each column of the motion, up to the stop.
  Matrix along = {};
  // Last column before a singular pose or another branch; -1: none.
  int stop = -1;
  // Between two samples, without passing a singular pose.
  bool jumped = false;
  // Why the motion stops there; empty when it does not.
  std::string sentence;
};

// `dense`: the same motion at any time; samples may then be as far apart as a user likes.
MotionRegularity regularity_along(const InverseProblem& problem, const Vector& t, const Matrix& q,
                                  const Matrix& v, DenseSolution* dense = nullptr);

}  // namespace tauflex
