// Outputs in place of rows: A (x, mu) = b, but for a few rows of A, whose unknowns are kept while
// the equations C x = y stand in their place.                                          theory (N.8)
//   A X = unit columns of these rows,   S = C X,   x = A^-1 b + X S^-1 (y - C A^-1 b)
// S says how the outputs change with the right-hand sides of these rows while all other equations
// hold: a small matrix beside the sparse one, which stays symmetric.
#pragma once

#include "tauflex/math/lu.hpp"
#include "tauflex/math/sparse_ldlt.hpp"

namespace tauflex {

class OutputBorder {
 public:
  // `size` of A; `rows` of A.
  OutputBorder(int size, std::vector<int> rows);

  int size() const { return static_cast<int>(rows_.size()); }
  // After A was computed; `C` by entries, one row per output.
  void compute(SparseLdlt& A, const std::vector<SparseLdlt::Entry>& C);
  // Of a right-hand side of A: what stands in the rows that are given up is not read.
  void release(VectorOut b) const;
  // From the solution with A to the one with outputs at y.
  void correct(const VectorRef& y, VectorOut solved);

 private:
  std::vector<int> rows_;
  std::vector<SparseLdlt::Entry> C_;
  // size of A x outputs
  Matrix X_, S_;
  Vector unit_, missing_;
  Lu lu_;
};

}  // namespace tauflex
