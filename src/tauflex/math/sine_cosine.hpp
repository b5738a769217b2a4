// Sine and cosine of the joints: by the same operations for doubles and for lanes of them, which is
// the same bits on every machine and for any number of lanes; the C library promises neither.
// Within 0.8 units of the last place. Beyond 12,867 rad, some 2,000 turns, the C library is asked.
#pragma once

namespace tauflex {

void sin_cos(double x, double& sine, double& cosine);
// Of several angles.
void sin_cos(const double* x, int count, double* sines, double* cosines);

}  // namespace tauflex
