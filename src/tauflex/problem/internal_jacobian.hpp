// How the internal dynamics s'' = f(t, s, s') change with their state.              theory (P.15)
#pragma once

#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {

// Neither function allocates.
class InternalJacobian {
 public:
  explicit InternalJacobian(const InternalDynamics& dynamics);

  // df/d(s, s'), p x 2p, at what solve() found; without the curvature of outputs and constraints.
  void approximate(const InternalMotion& m, MatrixOut J);
  // The same, exact.
  void exact(const InternalMotion& m, MatrixOut J);

 private:
  void differentiate_torques(const InternalMotion& m);
  void free_directions(const InternalMotion& m);
  void solve_accelerations(const InternalMotion& m, MatrixOut J);

  const InternalDynamics& dynamics_;
  const Robot& robot_;
  int n_, ng_, p_;
  MechanicsData mechanics_;
  ServoJacobianSeries rows_;
  VectorOf<ShortJet2> q_, y_;
  // C' and C'', rows x n
  Matrix C1_, C2_;
  // Directions that outputs and constraints leave free: P T = (0, 1); velocities that come with
  // them; n x p
  Matrix units_, T_, first_, V_;
  // (n + constraint rows) x 2p
  Matrix right_, solved_;
};

// f_y of the first-order system (s, s')' = (s', f), 2p x 2p.
Matrix first_order(const Matrix& J);

}  // namespace tauflex
