// Multipliers of a motion that outputs and constraints determine: what the constraints carry when
// the drives give the least torque that makes it.
//   minimise sum_d ((tau - G^T lambda)_d / n_d)^2      over the driven joints d
//   subject to (tau - G^T lambda)_p = 0                joints p without a drive
//              lambda_f = lambda_d(t)                  force outputs f                   theory
//              (P.5)
// As many outputs as drives leave nothing to minimise: then lambda is the only solution. What is
// minimised are the loads of the gears, as seen by the motors; their own inertia is not part of it.
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

 private:
  const InverseProblem& problem_;
  Matrix kkt_;
  Vector right_, solved_;
  Lu lu_;
};

}  // namespace tauflex
