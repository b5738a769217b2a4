// Motion of a robot that is held by constraints: accelerations and multipliers together.
//   [ M  -G^T ] [ vdot   ]   [ B u - h - k ]
//   [ G    0  ] [ lambda ] = [ -gamma      ]                                           theory (C.6)
// Solved as the free motion (articulated bodies) plus what the constraints take from it. The matrix
// of tree and constraints is regular as long as the rows of G are independent. An object is its own
// workspace: one per thread. Without constraints everything is that of forward_dynamics().
#pragma once

#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

class ConstrainedDynamics {
 public:
  explicit ConstrainedDynamics(const Robot& robot);

  // vdot (nv) and lambda (one per row) under motor torques u at time t.
  void accelerations(const VectorRef& q, const VectorRef& v, const VectorRef& u, double t,
                     VectorOut vdot, VectorOut lambda);

  // Derivatives of vdot by q and v (each nv x nv), after accelerations() at the same place and with
  // what it returned. `input_q` and `input_v` (nv x nv) are those of B u. The velocity part of
  // gamma is taken as constant in q: a Newton iteration does not notice.
  void acceleration_derivatives(const VectorRef& q, const VectorRef& v, const VectorRef& vdot,
                                const VectorRef& lambda, const MatrixRef& input_q,
                                const MatrixRef& input_v, MatrixOut by_q, MatrixOut by_v);

  // The nearest state, in the metric of M, with g = 0 and G v = s'. Returns the largest |g| left.
  double project(double t, VectorOut q, VectorOut v);

  // g and G v - s', the largest of each.
  struct Violation {
    double position, velocity;
  };
  Violation violation(const VectorRef& q, const VectorRef& v, double t);

  const MechanicsData& data() const { return data_; }

 private:
  void factorize(const VectorRef& q);

  const Robot& robot_;
  // Tree velocities, constraint rows.
  int n_, m_;
  MechanicsData data_;
  MotionDerivatives derivatives_;
  Matrix G_, G_rate_, kkt_;
  Vector g_, right_, solved_;
  Matrix rights_;
  Lu lu_;
};

}  // namespace tauflex
