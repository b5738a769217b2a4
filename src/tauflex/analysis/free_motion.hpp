// Motions that outputs and constraints leave free, and motions of joints without a drive. The
// internal dynamics: how the robot accelerates along the former where no force acts along the
// latter.                                                                             theory (A.7)
//   C N = 0            N: free motions
//   G_pf Z_p = 0       Z: of the joints p without a drive, as far as no free multiplier holds them
//   m = Z^T M N        its singular values are cosines of the angles between the two spaces
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// Both bases are orthonormal in the metric of M, so m has no unit.
struct FreeMotion {
  Matrix N, Z;
  Matrix m;
};
// C: rows x n of full rank; G_pf: free multipliers x passive joints, of full rank.
FreeMotion free_motion(const Matrix& C, const Matrix& G_pf, const std::vector<int>& passive,
                       const Matrix& M);

// Smallest over largest singular value of a matrix that should have full rank; 1 for an empty one.
double fullness(const Matrix& A);

// Every row divided by its length, whatever its unit; rows of zeros stay.
Matrix unit_rows(Matrix A);

}  // namespace tauflex
