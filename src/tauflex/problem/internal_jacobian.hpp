// How the internal dynamics s'' = f(t, s, s') change with their state.              theory (P.15)
// Of spherical joints changes eta of the pose, in the directions of v, and those of velocities and
// accelerations are related by
//   dv = eta' + eta x v,   dv' = eta'' + eta' x v + eta x v'                         theory (M.11)
#pragma once

#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {

// Neither function allocates.
class InternalJacobian {
 public:
  explicit InternalJacobian(InternalDynamics& dynamics);

  // df/d(s, s'), p x 2p, at what solve() found; without the curvature of outputs and constraints.
  void approximate(const InternalMotion& m, MatrixOut J);
  // The same, exact.
  void exact(const InternalMotion& m, MatrixOut J);

 private:
  void differentiate_torques(const InternalMotion& m);
  void free_directions(const InternalMotion& m);
  void solve_accelerations(const InternalMotion& m, MatrixOut J);
  void take_motion(const InternalMotion& m);
  void turn_right_side(const InternalMotion& m);
  void turn_result(const InternalMotion& m, MatrixOut J);

  InternalDynamics& dynamics_;
  const Robot& robot_;
  int n_, nq_, ng_, p_;
  // Then there are more terms.
  bool has_orientations_;
  MechanicsData mechanics_;
  ServoJacobianSeries rows_;
  VectorOf<ShortJet2> q_, y_;
  // C, C' and C'', rows x n
  Matrix C_, C1_, C2_;
  // Directions that outputs and constraints leave free: P T = (0, 1); velocities that come with
  // them; n x p
  Matrix units_, T_, first_, V_;
  // (n + constraint rows) x 2p
  Matrix right_, solved_;

  // Of robots with spherical joints: coefficients of q and v, tree_nq x 3 and tree_nv x 2
  Matrix Q_, U_;
  // eta x v, eta' x v + eta x v'; n x p
  Matrix turned_, turned2_, work_;
  // E; E' T, E' V and E'' T
  Matrix E_, E1_T_, E1_V_, E2_T_;
  Vector change_;
};

// f_y of the first-order system (s, s')' = (s', f), 2p x 2p.
Matrix first_order(const Matrix& J);

}  // namespace tauflex
