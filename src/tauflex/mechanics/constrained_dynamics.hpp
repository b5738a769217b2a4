// Motion of a robot that is held by constraints: accelerations and multipliers together.
//   [ M  G^T ] [  vdot   ]   [ B u - h - k ]
//   [ G   0  ] [ -lambda ] = [ -gamma      ]                                           theory (C.6)
// Multipliers come from the free motion (articulated bodies) and this matrix, accelerations from
// articulated bodies under them, so that a badly conditioned M costs no digits. The matrix of tree
// and constraints is regular as long as the rows of G are independent. An object is its own
// workspace: one per thread. Without constraints everything is that of forward_dynamics().
#pragma once

#include <limits>

#include "tauflex/math/saddle_solver.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

// What it took to put a state back on the constraints.
struct Projection {
  // Largest |g| left.
  double violation = 0;
  // rad or m: what rounding of g does to the positions. It is larger for robots far from the
  // origin.
  double noise = 0;
  // J, of the tree, afterwards, and what the change of its velocities added.
  double kinetic = 0, kinetic_change = 0;
  // Trace of M.
  double mass = 0;
};

// When the rows of G become dependent if the motion goes on as it is: theory (C.9).
struct RankForecast {
  // How independent they are now: falls linearly to 0 where they are dependent.
  double independence = 0;
  // s, until they are dependent; infinity when the independence grows.
  double ahead = std::numeric_limits<double>::infinity();
};

class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Robot& robot);

  // vdot (nv) and lambda (one per row) under motor torques u at time t.
  void accelerations(const VectorRef& q, const VectorRef& v, const VectorRef& u, double t,
                     VectorOut vdot, VectorOut lambda);
  // The same, with the stretch of the drive springs taken from q_drive and v_drive, as in
  // forward_dynamics().
  void accelerations(const VectorRef& q, const VectorRef& v, const VectorRef& q_drive,
                     const VectorRef& v_drive, const VectorRef& u, double t, VectorOut vdot,
                     VectorOut lambda);

  // Derivatives of vdot by q and v (each nv x nv), after accelerations() at the same place and with
  // what it returned. `input_q` and `input_v` (nv x nv) are those of B u. The velocity part of
  // gamma is taken as constant in q: a Newton iteration does not notice.
  void acceleration_derivatives(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
                                const VectorRef& lambda, const MatrixRef& input_q,
                                const MatrixRef& input_v, MatrixOut by_q, MatrixOut by_v);

  // The nearest state, in the metric of M, with g = 0 and G v = s'.
  Projection project(double t, VectorOut q, VectorOut v);

  // After accelerations() at the same place and with what it returned. Looks up to `horizon` (s)
  // ahead, and closely where the rows are far less independent than usual.
  RankForecast rank_forecast(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
                             double horizon, double usual);

  // The independence of the rows in poses around q: joints turned by up to half a radian, the
  // constraints not closed.
  double usual_independence(const VectorRef& q);

  // g and G v - s', the largest of each.
  struct Violation {
    double position, velocity;
  };
  Violation violation(const VectorRef& q, const VectorRef& v, double t);

  const MechanicsData& data() const { return data_; }

 private:
  void factorize(const VectorRef& q);
  double independence();

  const Robot& robot_;
  // Tree velocities, constraint rows.
  int n_, m_;
  MechanicsData data_;
  MotionDerivatives derivatives_;
  Matrix G_, G_rate_, kkt_;
  Vector q_, g_, momentum_, tau_, right_, solved_, load_;
  Matrix rights_;
  SaddleSolver kkt_solver_;
};

}  // namespace tauflex
