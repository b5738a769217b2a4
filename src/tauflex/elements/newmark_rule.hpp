// Which numbers of Newmark's formula are stable for every step: delta >= 1/2 and
//   beta >= (delta + 1/2)^2 / 4                                                       theory (N.4)
#pragma once

namespace tauflex {

double least_stable_beta(double delta);

// Throws FieldError naming `where` when beta is below that.
void check_newmark(const char* where, double delta, double beta);

}  // namespace tauflex
