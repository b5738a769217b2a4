// How to solve: one plain struct per method, the same from the job file, the command line and C++.
#pragma once

#include <string>
#include <variant>

#include "tauflex/base/node.hpp"

namespace tauflex {

struct NewtonOptions {
  double tolerance = 1e-15;  // on the error left in q, relative to 1 + |q|; u amplifies it by h^-3
  int max_iterations = 12;
  void check() const;
};

enum class BdfForm {
  automatic,   // blockwise where the problem is block triangular
  blockwise,   // joints, then rotors, then torques
  monolithic,  // Newton on all positions and velocities at once
};

// Backward differentiation formula with a fixed step.
struct BdfOptions {
  int order = 4;       // 1..6
  double step = 1e-3;  // s, made a little smaller where it does not divide the time window
  BdfForm form = BdfForm::automatic;
  NewtonOptions newton = {};
  void check() const;  // throws InputError naming the field and the rule
};

// Where outputs and constraints determine every joint and all drives are rigid: positions by
// Newton, velocities and accelerations by one linear solve each, torques explicitly. No
// integration, no differencing; the step is only the distance of the samples.
struct ExactOptions {
  double step = 1e-3;  // s
  NewtonOptions newton = {};
  void check() const;
};

using Method = std::variant<BdfOptions, ExactOptions>;

Method read_method(const Node& node);

}  // namespace tauflex
