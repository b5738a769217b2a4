// Multipliers of a motion that outputs and constraints determine: what the constraints carry when
// the drives give the least torque that makes it.
//   minimise sum_d ((tau - G^T lambda)_d / n_d)^2      over the driven joints d
//   subject to (tau - G^T lambda)_p = 0                joints p without a drive
//              lambda_f = lambda_d(t)                  force outputs f              theory (P.5)
// As many outputs as drives leave nothing to minimise: then lambda is the only solution. What is
// minimised are the loads of the gears, as seen by the motors; their own inertia is not part of it.
//
// With x = 1/n_d^2 (tau - G^T lambda)_d at driven joints and -mu_p at the others the optimum is
//   G x = nu_f at force outputs, 0 elsewhere
// and coefficient k of its series has the matrix of k = 0:
//   K (lambda_k, mu_k, nu_k) = (G_0 x_k + sum_j>0 G_j x_(k-j), ...), x_k without lambda_k, mu_k
#pragma once

#include <vector>

#include "tauflex/math/lu.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

class LeastTorque {
 public:
  explicit LeastTorque(const InverseProblem& problem);

  // tau: of the motion without constraints (tree_nv). wanted: lambda_d of the force outputs, one
  // value per output of the problem (others are not read).
  void solve(const VectorRef& tau, const MatrixRef& G, const VectorRef& wanted, VectorOut lambda);

  // Coefficient k of lambda. tau: coefficient k of tau - G^T lambda with that of lambda still 0;
  // wanted: coefficient k; known: the sum of G_j x_(k-j), one entry per row of G. After solve() of
  // the same pose.
  void solve_coefficient(const VectorRef& tau, const MatrixRef& G, const VectorRef& wanted,
                         const VectorRef& known, VectorOut lambda);
  // x (tree_nv) of a load tau - G^T lambda, after the function that found lambda.
  void weighted(const VectorRef& load, VectorOut x) const;

  // K of the last solve().
  const Matrix& matrix() const { return kkt_; }

 private:
  const InverseProblem& problem_;
  // Of each drive: 1/n_d^2, relative to the largest, to keep the matrix balanced.
  Vector weights_;
  Matrix kkt_;
  Vector right_, solved_;
  Lu lu_;
};

}  // namespace tauflex
