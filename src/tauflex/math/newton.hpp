// Newton's method: one place decides when an iteration has converged, whoever makes the
// corrections. The error that is left after a correction of relative size e is about
//   e^2         with the Jacobian of the present point
//   rate * e    with a Jacobian that is kept, rate: how much corrections shrink
// An iteration also ends where rounding stops it: corrections are small and no longer shrink.
#pragma once

#include <algorithm>
#include <cmath>

namespace tauflex {

enum class NewtonJacobian { fresh, kept };

struct NewtonCriteria {
  // On the error that is left, relative to the unknowns.
  double tolerance = 1e-15;
  int max_iterations = 12;
  NewtonJacobian jacobian = NewtonJacobian::fresh;
  // Corrections below this that no longer shrink are rounding.
  double rounding = 1e-9;
};

// What a correction may depend on: how many there were, the size of the last one and by how much it
// had shrunk.
struct NewtonState {
  int iteration = 0;
  double size = 0;
  double rate = 1;
};

struct NewtonResult {
  bool converged = false;
  // Size of the last correction, relative to the unknowns.
  double size = 0;
};

// `correct(state)` makes one correction and returns its size relative to the unknowns; what is not
// a number ends the iteration.
template <class Correct>
NewtonResult newton(const NewtonCriteria& criteria, const Correct& correct) {
  // e^2 times how strongly equations may be curved
  constexpr double curvature = 1e3;
  NewtonState state;
  for (; state.iteration < criteria.max_iterations; ++state.iteration) {
    const double size = correct(state);
    if (!std::isfinite(size)) return {false, size};
    state.rate = state.iteration == 0 ? 1 : std::min(1.0, size / state.size);
    const double left =
        criteria.jacobian == NewtonJacobian::kept ? state.rate * size : curvature * size * size;
    const bool stagnates = state.iteration > 1 && state.rate > 0.5 && size < criteria.rounding;
    state.size = size;
    if (left <= criteria.tolerance || stagnates) return {true, size};
  }
  return {false, state.size};
}

}  // namespace tauflex
