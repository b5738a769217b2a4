// Natural modes of a robot at a pose: small free motions x exp(s t) about it, motors locked by
// brakes or free to turn under constant torque.
//   (s^2 M + s D + K) x = 0,  x in the null space of G                               theory (A.12)
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

struct NaturalMode {
  std::complex<double> s;  // 1/s, the imaginary part not negative
  // Hz, |s| / (2 pi)
  double frequency = 0;
  // Part of critical damping; 0: undamped, 1 and more: does not oscillate.
  double damping = 0;
  // nv, velocities; the largest entry is 1
  Eigen::VectorXcd shape;
  // Parts of the elastic energy, the largest first; together 1.
  struct Share {
    std::string part;
    bool is_distributed = false;
    double fraction = 0;
  };
  std::vector<Share> shares = {};
  // "first bending of upper, 62 %; gear of axis2, 30 %"
  std::string words = {};
};

struct NaturalModes {
  // By frequency.
  std::vector<NaturalMode> modes;
  // Independent motions that nothing drives back: joints that turn freely.
  int free_motions = 0;
  // 1/s, the fastest first: rates of motions that run away without swinging, as where springs are
  // too weak for the weight on them.
  std::vector<double> falling;
  // Whether the pose is one at rest; else springs and weights are not in balance there.
  bool at_rest = true;
};

// `lambda`: multipliers of the constraints at rest; empty: 0.
NaturalModes natural_modes(const Robot& robot, const Vector& q, const Vector& lambda,
                           bool drives_locked);

// The pose with all coordinates without a drive where springs and weights balance, as far as
// Newton's method finds it from here; constraints are not regarded.
Vector settled(const Robot& robot, const Vector& q);

}  // namespace tauflex
