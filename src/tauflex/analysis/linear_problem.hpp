// The inverse problem linearised at rest.
//   E x' = A x,  x = (q, v, w, lambda),  u = Q w                                       theory (A.2)
// Q is 1 unless drives outnumber outputs.
#pragma once

#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

// What forces, outputs and constraints change by when a robot at rest moves a little, q in the
// directions of v.
struct RestDerivatives {
  // nv x nv; K contains -d(G^T lambda)/dq
  Matrix M, D, K;
  // Outputs x nv.
  Matrix J;
  // Constraint rows x tree_nv.
  Matrix G;
};
RestDerivatives rest_derivatives(const InverseProblem& problem, const RestState& state);

struct LinearProblem {
  Matrix E, A;
  // Drives x outputs.
  Matrix Q;
};
LinearProblem linear_problem(const InverseProblem& problem, const RestState& state);

// What torques of the drives do to motions that the constraints allow, (tree_nv - rows) x drives.
Matrix effect_of_torques(const Robot& robot, const Matrix& G);

}  // namespace tauflex
