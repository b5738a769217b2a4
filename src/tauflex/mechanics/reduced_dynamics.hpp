// Motion on the constraints in as many coordinates as degrees of freedom: pseudo-velocities w.
//   A = G(q),  [A; D]^-1 = [E F],  w = D v,  v = F w + E s',  vdot = F wdot - E gamma
//   F^T M F wdot = F^T (B u - h - k + M E gamma)          [DeLuca2016, eq. (4)]
//   lambda = E^T (M vdot + h + k - B u)                   [DeLuca2016, eq. (5)]        theory (C.8)
// For robots without elastic drives: every torque acts on a joint.
#pragma once

#include <optional>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

class ReducedDynamics {
 public:
  // At one state; D must make [A; D] regular, none: an orthonormal basis of the null space of A.
  // Throws InputError for a D that does not fit, ProblemError for elastic drives.
  ReducedDynamics(const Robot& robot, const Vector& q, const Vector& v, double t = 0,
                  const std::optional<Matrix>& D = std::nullopt);

  int freedom() const { return static_cast<int>(F_.cols()); }
  const Matrix& E() const { return E_; }
  const Matrix& F() const { return F_; }
  const Matrix& inertia() const { return inertia_; }  // F^T M F
  Vector pseudo_velocity() const { return D_ * v_; }

  Vector pseudo_acceleration(const Vector& u) const;
  Vector multipliers(const Vector& u) const;
  // Torques for a wanted pseudo-acceleration and wanted multipliers; the least where there are more
  // drives than needed. Throws ProblemError when the drives cannot give them.
  Vector torques(const Vector& wdot, const Vector& lambda) const;

 private:
  Vector acceleration(const Vector& wdot) const;

  Matrix D_, E_, F_, M_, B_, G_, inertia_;
  Vector v_, bias_, gamma_;  // bias: h + k
};

// All torques that hold a robot still: particular + null_space x for any x; what the constraints
// carry then is lambda + lambda_null x.
struct StaticTorques {
  // The least of them.
  Vector particular;
  // Drives x dimension, orthonormal.
  Matrix null_space;
  Vector lambda;
  Matrix lambda_null;
};

// Throws ProblemError when the drives cannot hold it.
StaticTorques static_torques(const Robot& robot, const Vector& q);

}  // namespace tauflex
