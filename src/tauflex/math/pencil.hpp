// The pencil s E - A of a linear differential-algebraic equation E x' = A x, square and regular:
// its finite eigenvalues and its index.                                              theory (A.1)
// Rows without a derivative are solved and taken out until E is regular; every round takes out one
// level of nilpotency, so the number of rounds is the index.
#pragma once

#include <complex>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct PencilStructure {
  // s E - A invertible for almost all s
  bool regular = true;
  // 0: an ordinary differential equation
  int index = 0;
  // The finite ones.
  std::vector<std::complex<double>> eigenvalues;
  // What is left of E x' = A x when all rows without a derivative are solved: x = states z,
  // z' = rates z. The eigenvalues are those of rates.
  Matrix states, rates;
  // The closest rank decision: smallest kept over largest dropped singular value.
  double gap = 0;
};

// x with (s E - A) x = 0 for an eigenvalue s, of length 1.
Eigen::VectorXcd null_vector(const Matrix& E, const Matrix& A, std::complex<double> s);

PencilStructure pencil_structure(Matrix E, Matrix A, double rank_tolerance = 1e-9);

}  // namespace tauflex
