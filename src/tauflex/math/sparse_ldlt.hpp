// A x = b for large symmetric matrices with few entries, of the form
//   A = [K  G^T]      K positive semidefinite, and definite where G v = 0
//       [G   0 ]
// P (A + diag(s)) P^T = L D L^T without pivoting, which the signs of s make possible: positive on
// the rows of K, negative on those of G. Steps of refinement with A itself take their effect out
// again. The order P, of least degree, and the places of all entries are found once and kept while
// the matrix has its entries in the same places.
#pragma once

#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

class SparseLdlt {
 public:
  // Entries of one half of A, each off the diagonal once; those of one place add up.
  struct Entry {
    int row, column;
    double value;
  };
  void compute(int size, const std::vector<Entry>& entries, const VectorRef& shift);
  // Refined until only rounding is left, or so many times. A singular A gives results that are not
  // finite or do not converge.
  static constexpr int to_rounding = 12;
  void solve(const VectorRef& b, VectorOut x, int refinements = to_rounding);

 private:
  bool is_laid_out(int size, const std::vector<Entry>& entries) const;
  void lay_out(int size, const std::vector<Entry>& entries);
  void substitute(VectorOut y) const;

  std::vector<Entry> entries_;
  // Unknown k of A is unknown place_[k] of the elimination.
  std::vector<int> place_;
  // Of each entry: in diagonal_ (negative: -1 - k) or in lower_.
  std::vector<int> slot_;
  // Column k of L: rows_[begin_[k]] .. rows_[begin_[k + 1] - 1], rising; values in lower_.
  std::vector<int> begin_, rows_;
  // Of each pair of rows of a column, in order: where it is subtracted, as in slot_.
  std::vector<int> updates_;
  std::vector<double> diagonal_, lower_;
  Vector right_, step_, permuted_;
};

}  // namespace tauflex
