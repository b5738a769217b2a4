// Dense matrix decompositions behind plain functions: LAPACK's, so that nothing of them is compiled
// here. Where an iteration fails or A is not finite, results are not numbers.
#pragma once

#include <complex>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// A = U diag(sigma) V^T with square U and V, sigma falling.
struct Svd {
  Matrix U;
  Vector sigma;
  Matrix V;
};
Svd svd(const Matrix& A);
Vector singular_values(const Matrix& A);

// x of length 1 with |A x| smallest; its phase is arbitrary.
Eigen::VectorXcd last_right_singular_vector(const Eigen::MatrixXcd& A);

// A rank and how clear it is: the smallest singular value taken as nonzero over the largest one
// taken as zero (over the threshold, when none is).
struct RankDecision {
  int rank = 0;
  double gap = 0;
};
RankDecision decide_rank(const Vector& sigma, double threshold);

Eigen::VectorXcd eigenvalues(const Matrix& A);

// A X = X diag(values).
struct Eigensystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
Eigensystem eigensystem(const Matrix& A);

// Of a symmetric A, rising.
Vector symmetric_eigenvalues(const Matrix& A);
// A = V diag(values) V^T of a symmetric A, values rising.
struct SymmetricEigensystem {
  Vector values;
  Matrix V;
};
SymmetricEigensystem symmetric_eigensystem(const Matrix& A);

// R with A = R^T R, upper triangular, A symmetric and positive definite.
Matrix cholesky_factor(const Matrix& A);

// Columns in the order of a QR decomposition with pivoting: each the one farthest from the span of
// those before it. Rank: columns farther than `threshold` of the first.
struct ColumnOrder {
  std::vector<int> columns;
  int rank = 0;
};
ColumnOrder pivot_columns(const Matrix& A, double threshold = 1e-15);
// Orthonormal columns with the span of the first `rank` of them.
Matrix column_space(const Matrix& A, Eigen::Index rank);

// A = Q R with square Q.
struct Qr {
  Matrix Q;
  Matrix R;
};
Qr qr(const Matrix& A);
// A becomes Q^T A, with Q such that its first `count` columns are upper triangular.
void triangularize(Matrix& A, Eigen::Index count);

// |A| |A^-1| in the 1-norm; infinite or not a number when A is singular.
double condition_number(const Matrix& A);

// exp(A), by scaling and squaring.
Matrix exponential(const Matrix& A);

// X with A X = B, A regular.
Matrix solve_linear(const Matrix& A, const Matrix& B);

// The smallest x with |A x - b| smallest, A of any rank.
Vector least_norm_solution(const Matrix& A, const Vector& b);
Eigen::VectorXcd least_norm_solution(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b);

// The same with one decomposition for many right-hand sides.
class LeastNormSolver {
 public:
  // Pivots below `threshold` of the largest count as zero.
  explicit LeastNormSolver(const Matrix& A, double threshold = 1e-12);

  // The smallest x with |A x - b| smallest.
  Vector solve(const Vector& b) const;
  Eigen::Index rank() const { return rank_; }
  // Largest over smallest pivot that counts; 0 for an A of rank 0.
  double condition() const { return condition_; }

 private:
  // A P = Q [T 0; 0 0] Z
  Matrix A_;
  Vector tau_q_, tau_z_;
  std::vector<int> columns_;
  Eigen::Index rank_ = 0;
  double condition_ = 0;
};

}  // namespace tauflex
