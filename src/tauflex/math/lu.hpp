// P A = L U with partial pivoting, for inner loops: memory is taken once, results are written where
// they are wanted.
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class Lu {
 public:
  Lu() = default;
  explicit Lu(const MatrixRef& A) { compute(A); }

  // A square. A singular one gives results that are not finite, but 0 where an equation is 0 = 0.
  void compute(const MatrixRef& A);
  Eigen::Index size() const { return n_; }

  // A x = b; x may be b. One object per thread: it keeps the right-hand side meanwhile.
  void solve(const VectorRef& b, VectorOut x) const;
  // A X = B for several right-hand sides at once; X may be B. Memory is taken the first time only.
  void solve_columns(const MatrixRef& B, MatrixOut X) const;
  Matrix solve(const Matrix& B) const;

  // Smallest over largest pivot, in size; not a number when a result was not.
  double pivot_ratio() const;
  double determinant() const;
  // 1, -1, or 0 when a pivot is zero; neither overflows nor underflows.
  int determinant_sign() const;

 private:
  void eliminate(Eigen::Index begin, Eigen::Index end);
  void eliminate_column(Eigen::Index k, Eigen::Index end);

  Eigen::Index n_ = 0;
  // Row by row: L below the diagonal, U above it, inverse pivots on it.
  std::vector<double> a_;
  // P: row i of P A is row row_of_[i] of A
  std::vector<Eigen::Index> row_of_;
  int sign_ = 1;  // of P
  mutable std::vector<double> y_;
};

}  // namespace tauflex
