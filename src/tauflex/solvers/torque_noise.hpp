// Rounding in torques that were found by differences.
#pragma once

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// Size of the noise on one torque: differences of order 6 cancel whatever is smooth and amplify
// white noise by sqrt(924). The median over time, so that the corners of a path do not count.
double torque_noise(const VectorRef& u);

// Whether that noise is rounding, which every second sample has as much of: what is too fast for
// the steps is rougher there.
bool is_rounding(const VectorRef& u);

}  // namespace tauflex
