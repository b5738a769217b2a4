// The scalars that mechanics is compiled for, besides double: X is expanded once per scalar. What
// no solver, analysis or test calls is not compiled.
//   Dual             slopes along a motion, and the oracle of analytic Jacobians
//   Jet, JetOfDual   derivative arrays of a Dae
//   short jets       inner loops of the method of jets
//   Complex          poses only: all postures of an arm
#pragma once

#include "tauflex/math/jet.hpp"

#define TAUFLEX_FOR_EACH_SCALAR(X) X(double) X(Dual) X(Jet) X(JetOfDual)
// Poses, outputs and constraints.
#define TAUFLEX_FOR_EACH_POSE_SCALAR(X) TAUFLEX_FOR_EACH_SCALAR(X) X(ShortJet4)
// Torques at the joints and forces of constraints.
#define TAUFLEX_FOR_EACH_FORCE_SCALAR(X) TAUFLEX_FOR_EACH_SCALAR(X) X(ShortJet2)
