// The scalars that mechanics is compiled for: TAUFLEX_FOR_EACH_SCALAR(X) expands X once per scalar.
#pragma once

#include "tauflex/math/jet.hpp"

#define TAUFLEX_FOR_EACH_SCALAR(X) X(double) X(Dual) X(Jet) X(JetOfDual)
