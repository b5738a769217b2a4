// The scalars that mechanics is compiled for: TAUFLEX_FOR_EACH_SCALAR(X) expands X once per scalar.
// Short jets are for what inner loops of solvers need: poses, torques at the joints, constraints.
#pragma once

#include "tauflex/math/jet.hpp"

#define TAUFLEX_FOR_EACH_SCALAR(X) X(double) X(Dual) X(Jet) X(JetOfDual)
#define TAUFLEX_FOR_EACH_SHORT_JET(X) X(ShortJet2) X(ShortJet4) X(ShortJetOfDual)
