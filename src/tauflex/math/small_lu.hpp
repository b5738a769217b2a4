// LU with row pivoting in plain loops: for the few unknowns of an inner loop it takes a third of
// the time of a library made for large matrices, and does not allocate once it has its size.
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class SmallLu {
 public:
  void compute(const Matrix& A);
  // A x = b; x and b may be the same.
  void solve(const VectorRef& b, VectorOut x) const;
  Matrix solve(const Matrix& B) const;

 private:
  Eigen::Index n_ = 0;
  std::vector<double> a_;  // row by row; 1/pivots on the diagonal
  std::vector<Eigen::Index> swapped_;
  mutable std::vector<double> y_;
};

}  // namespace tauflex
