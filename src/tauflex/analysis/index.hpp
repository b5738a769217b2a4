// The index of a Dae at a point, by ranks of its derivative array (Hypothesis 1 of Kunkel and
// Mehrmann, [Moberg2009, section 4.2]):
//   M_mu = dF_mu/d(x', ..., x^(mu+1))   rank (mu + 1) n - a,   Z2^T M_mu = 0
//   A2 = Z2^T dF_mu/dx                  rank a,                A2 T2 = 0
//   F_x' T2                             rank d = n - a,        Z1^T F_x' T2 regular, Z1 picks rows
// The smallest mu for which this holds is the strangeness index. The differential index nu, the
// smallest order for which the array determines x' uniquely, is then mu + 1, and 0 for ordinary
// differential equations.                                                             theory (A.5)
#pragma once

#include <vector>

#include "tauflex/equations/derivative_array.hpp"
#include "tauflex/math/equilibration.hpp"

namespace tauflex {

// A Dae in units in which its parts are of one size: equations, variables and time.
struct ArrayScales {
  Scales scales;
  double unit = 1;  // s
};
ArrayScales array_scales(const DerivativeArray& linearized);

// dF_j/dX_k for j = 0 .. order and k = first .. last after linearize(), scaled.
Matrix array_matrix(const DerivativeArray& linearized, const ArrayScales& scales, int order,
                    int first, int last);

struct IndexOptions {
  // Singular values below it count as zero, entries being close to 1.
  double threshold = 1e-9;
  int largest = DerivativeArray::largest_order - 1;
};

struct IndexAnalysis {
  // Else Hypothesis 1 fails up to the largest order tried.
  bool found = false;
  int differential_index = -1;
  int strangeness_index = -1;
  int algebraic_count = 0, differential_count = 0;  // a, d
  // The least clear decision of Hypothesis 1.
  double gap = 0;
  ArrayScales scales;
  // A x n, scaled: what is algebraic.
  Matrix A2;
  // F_x' T2, n x d, scaled: what stays differential
  Matrix dynamic;
  // choices by pivoting, ascending: variables, and the equations that Z1 picks
  std::vector<int> algebraic, differential, differential_equations;
};

// At x(t + s) = sum_k X_k s^k; columns of X that are left out are zero.
IndexAnalysis analyze_index(DerivativeArray& array, double t, const Matrix& X,
                            const IndexOptions& options = {});

// Whether these a variables are determined by the others there: the condition number of their
// columns of A2, infinite when they are not. Likewise whether these d equations say how the
// differential variables move: that of their rows of F_x' T2.
double condition_of_algebraic(const IndexAnalysis& analysis, const std::vector<int>& algebraic);
double condition_of_differential_equations(const IndexAnalysis& analysis,
                                           const std::vector<int>& equations);

// The differential index by its own definition, from the ranks of the array with and without x';
// -1 when no order up to `largest` determines x'.
int differential_index(DerivativeArray& array, double t, const Matrix& X,
                       const IndexOptions& options = {});

}  // namespace tauflex
