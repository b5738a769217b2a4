// A x = b for symmetric matrices of the form
//   A = [M  G^T]      M positive definite, n x n; rows of G independent
//       [G   0 ]
// Small or full matrices are decomposed by Lu. Large ones with many zeros are eliminated without
// pivoting, P A P^T = L D L^T: first M from its last row to its first, which fills in nothing where
// M is that of a tree, then what is left, -G M^-1 G^T, which is definite, in the order of least
// degree. Only entries that can be different from zero are touched.
#pragma once

#include <vector>

#include "tauflex/math/lu.hpp"

namespace tauflex {

class SaddleSolver {
 public:
  // n: size of M.
  void compute(const MatrixRef& A, Eigen::Index n);
  // x may be b. A singular A gives results that are not finite. One object per thread.
  void solve(const VectorRef& b, VectorOut x) const;
  Matrix solve(const Matrix& B) const;

  bool is_sparse() const { return sparse_; }

 private:
  bool read_entries(const MatrixRef& A);
  void add_entries(const MatrixRef& A);
  void analyze(Eigen::Index size, Eigen::Index n);
  void eliminate(const MatrixRef& A);
  void substitute(const VectorRef& b) const;

  Lu lu_;
  bool sparse_ = false;
  // What was different from zero in any matrix so far, column by column.
  struct Entry {
    Eigen::Index row, column;
    double value;
  };
  std::vector<Entry> entries_;
  // Unknown k of the elimination is unknown order_[k] of A.
  std::vector<Eigen::Index> order_;
  // Column k of L: its rows below the diagonal, rising.
  std::vector<std::vector<Eigen::Index>> rows_;
  // L below the diagonal, D on it; what is neither is not used
  Matrix L_;
  mutable Vector y_, residual_;
};

}  // namespace tauflex
