// How the internal dynamics s'' = f(t, s, s') change with their state.              theory (P.15)
#pragma once

#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {

class InternalJacobian {
 public:
  explicit InternalJacobian(const InternalDynamics& dynamics);

  // df/d(s, s'), p x 2p, at what solve() found; without the curvature of outputs and constraints.
  void approximate(const InternalMotion& m, MatrixOut J);
  // The same, exact.
  void exact(const InternalMotion& m, MatrixOut J);

 private:
  void differentiate_torques(const InternalMotion& m);
  Matrix free_directions(const InternalMotion& m) const;

  const InternalDynamics& dynamics_;
  const Robot& robot_;
  int n_, ng_, p_;
  MechanicsData mechanics_;
  ServoJacobianSeries rows_;
  VectorOf<ShortJet2> q_, y_;
};

// f_y of the first-order system (s, s')' = (s', f), 2p x 2p.
Matrix first_order(const Matrix& J);

}  // namespace tauflex
