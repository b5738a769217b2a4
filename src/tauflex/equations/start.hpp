// A robot at rest on its path: the outputs where they shall be, every joint in equilibrium under
// gravity and springs, rotors wound up by what they carry.
//   S (h(q, 0) + k(q, 0) - G^T lambda) = 0,   c(q) = y_d(t),   g(q, t) = 0            theory (P.3)
#pragma once

#include <string>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

// The equilibrium closest to `guess`, with the outputs where the path is at time t.
RestState rest_state(const InverseProblem& problem, double t, const Vector& guess);

// A pose below this ratio of singular values is singular: outputs that are right to 1e-16 leave
// 1e-8 in the joints of a stretched arm, and this is a hundred times as much. What is small but
// above it is a matter of accuracy, which the proof measures.
constexpr double singular_ratio = 1e-6;

// How independent outputs and constraints are at a pose: the smallest singular value of their
// rows over the largest; 0 at a singular pose. Lengths are in units of the robot's own size.
double output_independence(const InverseProblem& problem, const Vector& q);
// The rows behind it: motion outputs, then constraints; by directions of v.
Matrix independence_rows(const InverseProblem& problem, const Vector& q);

// Joint coordinates by name: "upper = 0.1, fore = 0.3".
std::string pose_text(const Robot& robot, const VectorRef& q);

}  // namespace tauflex
