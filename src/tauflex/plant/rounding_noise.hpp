// What rounding of positions makes of velocities: no tolerance can ask for less.
//   Positions are rounded to 1e-16, and a spring turns that into a vibration at its frequency w,
//   with velocities of (rounding) w.                                                 theory (M.14)
#pragma once

#include "tauflex/plant/forward_problem.hpp"

namespace tauflex {

class RoundingNoise {
 public:
  // At a state x. `least_size`: rad or m, positions of joints are rounded like numbers of this size
  // or larger.
  RoundingNoise(ForwardProblem& problem, double t, const Vector& x, double least_size);

  // Of each part of the state, for steps of this length (s). Vibrations of drives that are far
  // shorter than a step are damped by it, and joints do not take part in them.
  Vector of_steps(double step) const;
  // True when of_steps() is the same for both.
  bool same(double step, double other) const;

 private:
  bool resolved(Eigen::Index drive, double step) const;

  // Of springs at joints and between frames, and of rotors.
  Vector always_;
  // 1/s, of the drive springs, and what their vibration is at the joints, one column per drive.
  Vector frequency_;
  Matrix shaken_;
};

}  // namespace tauflex
