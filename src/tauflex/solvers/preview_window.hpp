// The bounded motion over a window that moves along: stable inversion as far as the path is known.
//   (s, s')' = f(t, s, s') on [t, t + preview]
//   at t            the part that does not grow goes on from the window before
//   at t + preview  the part that grows is that of the robot at rest there         theory (P.18)
// Simpson's method on steps that get longer ahead, as their errors fade on the way back to t.
// Newton's method starts from the window before, with matrices that are renewed in turn. What grows
// is swept backwards, what does not forwards; the two subspaces are followed from window to window.
// Steps do not allocate.
#pragma once

#include <vector>

#include "tauflex/math/matrix_sign.hpp"
#include "tauflex/math/newton.hpp"
#include "tauflex/problem/internal_jacobian.hpp"
#include "tauflex/problem/rest_state.hpp"

namespace tauflex {

// What grows, what the window is made of, and for how long it looks ahead.
struct PreviewShape {
  // 1/s: what grows more slowly counts as stable
  double slow = 0;
  // 1/s: the slowest of what grows faster
  double rate = 0;
  // s, from one window to the next
  double step = 0;
  // Steps that the window is long.
  int ahead = 0;
};

class PreviewWindow {
 public:
  // At rest at the beginning of the problem. Throws ProblemError where the internal dynamics have
  // no value there.
  PreviewWindow(InternalDynamics& dynamics, const RestState& start, const PreviewShape& shape);

  void reset();
  // Looks for the window that begins at t, one step after the last, which stays as it is until the
  // new one is accepted. False: there is none, see failure().
  bool find(double t, long& iterations);
  // Of the window that was found: (s, s') at the beginning, and all joints as a guess.
  auto found_state() const { return next_.y.col(0); }
  auto found_pose() const { return next_.Q.col(0); }
  // The window that was found is the last one.
  void accept();

  // Of the last window: (s, s') at the beginning.
  auto state() const { return known_.y.col(0); }
  // How state() changes with what grows at the end, n x growing.
  const Matrix& effect_of_end() const { return known_.effect; }
  // The growing part of the present state, which the window that ended here took as 0.
  double error_at_end() const { return error_at_end_; }
  const NoMotion& failure() const { return motion_.failure; }

 private:
  // All that one window hands to the next.
  struct Known {
    // At nodes: n x (intervals + 1)
    Matrix y;
    // At nodes and halfway between: (s, s')', positions and velocities of all joints
    Matrix F, Q, V;
    // What grows: columns now, rows at the end; orthonormal
    Matrix E, L;
    // The state at the end with s'' = 0, from which the growing part is measured: (s, s') and all
    // joints.
    Vector balance, balance_q;
    // How (s, s') at the beginning changes with what grows at the end.
    Matrix effect;
  };
  struct Interval {
    double h = 0;
    // Of the node at its beginning, as it was last.
    Matrix J;
    // dy_(i+1) = Gamma dy_i + g
    Lu ahead;
    Matrix Gamma;
    Vector g;
    // Rows of what grows at its beginning, beta: their value, and how it follows from the end
    Matrix L, beta;
  };

  void make_mesh();
  void shift();
  bool evaluate(double t, Eigen::Index point, const VectorRef& y);
  bool find_balance(double t);
  bool balance_joints(double t, double pace);
  bool evaluate_nodes(int renewed, int every);
  void make_transition(int i);
  bool find_residuals();
  void sweep_backwards();
  double sweep_forwards();
  void note_error_at_end();

  InternalDynamics& dynamics_;
  const RestState& start_;
  PreviewShape shape_;
  int p_, n_, intervals_ = 0;
  InternalMotion motion_;
  InternalJacobian jacobian_;
  // s, of nodes, from now on
  std::vector<double> offsets_;
  std::vector<Interval> intervals_data_;
  Matrix J_end_;
  Known known_, next_, first_;
  // Of the window that is looked for.
  double t_ = 0;
  // Windows so far, modulo the turns in which matrices are renewed.
  int turn_ = 0;
  // L and balance of the windows that end between now and the end, one after the other.
  std::vector<Matrix> ends_;
  std::vector<Vector> balances_;
  long count_ = 0;
  double error_at_end_ = 0;
  // Workspace: first order system, and so on.
  Matrix Jp_, J0_, Jm_, A_, B_, work_, work_rows_, beta_end_, small_, small_right_, small_solved_;
  Vector r_, y_, dy_, ds_, misses_, move_;
  Lu lu_, small_lu_;
  MatrixSign sign_;
};

}  // namespace tauflex
