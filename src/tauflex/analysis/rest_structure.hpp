// Index and zeros of an inverse problem at rest.
//
// In block triangular form both follow from how the problem is built.                theory (A.10)
//   joints    m s'' + d s' + k s = 0       s: motions that outputs and constraints leave free
//   springs   D x' + K x = 0               x: stretch of the drive springs
// The zeros are the eigenvalues of both. With m regular the joints depend on derivative 2 of the
// path, and so do torques of rigid drives; damped drive springs ask for one more, undamped ones for
// two. Ranks are asked of m only, which has no units.
//
// With a rotor among the outputs the whole problem is one pencil, and ranks decide.   theory (A.1)
#pragma once

#include <complex>
#include <vector>

#include "tauflex/analysis/linear_problem.hpp"

namespace tauflex {

struct RestStructure {
  // Else some drive has no effect on the outputs.
  bool regular = true;
  // Derivative of the path that the torque depends on.
  int derivative = 0;
  std::vector<std::complex<double>> zeros;
  // The closest rank decision: smallest kept over largest dropped singular value; infinite where
  // nothing had to be decided.
  double gap = 0;

  // nv: how much each velocity takes part in the motion of a zero.
  Vector participation(std::complex<double> zero) const;

  // Directions that move, nv x p, and what their motion obeys: E x' = A x, x = (s, ..).
  Matrix directions, E, A;
};

RestStructure structure_at_rest(const InverseProblem& problem, const RestState& state);

}  // namespace tauflex
