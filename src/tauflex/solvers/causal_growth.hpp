// How far the motion that starts at rest with the path swings, against the bounded one: growth of
// the internal dynamics times how much the path excites what grows.                  theory (P.17)
#pragma once

#include "tauflex/analysis/diagnosis.hpp"

namespace tauflex {

struct CausalGrowth {
  // Logarithm of how much an error of the internal state grows over the window, by the frozen
  // zeros.
  double exponent = 0;
  // How far the free joints swing away from rest on the path when they start with it, over how far
  // they swing in the bounded motion; 1 where nothing grows or there is no bounded motion.
  double swing = 1;

  // Torques that begin before the path pay off.
  bool matters() const { return swing > 20; }
  // No torque that starts with the path can be trusted.
  bool rules_out_start_with_path() const { return swing > 1000; }
};

// To first order about the robot at rest along its path. Where the internal dynamics cannot be
// computed so, or grow until rounding alone would spoil eight digits, by the exponent.
CausalGrowth causal_growth(const InverseProblem& problem, const RestState& start,
                           const Diagnosis& diagnosis);

}  // namespace tauflex
