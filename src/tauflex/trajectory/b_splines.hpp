// B-splines and the banded equations that their coefficients solve.           [DeBoor1978, ch. X]
#pragma once

#include <array>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

constexpr int largest_spline_degree = 13;

// Row d holds the d + 1 B-splines of degree d that live on [knots[l], knots[l+1]), N_{l-d} .. N_l:
//   N_j,d = (t - t_j) / (t_{j+d} - t_j) N_j,d-1 + (t_{j+d+1} - t) / (t_{j+d+1} - t_{j+1}) N_j+1,d-1
using BasisTriangle =
    std::array<std::array<double, largest_spline_degree + 1>, largest_spline_degree + 1>;

void fill_basis(const Vector& knots, int degree, int l, double t, BasisTriangle& N);

// Breakpoints, both ends repeated degree + 1 times.
Vector knots_of(const VectorRef& breakpoints, int degree);
// l of the interval [knots[l], knots[l+1]) that holds t, of the last one at the end.
int interval_of(const Vector& knots, int degree, double t);

// Solves A x = b with 2m + 1 diagonals, band(m + j - i, i) = A(i, j), one column of x per row of A.
// Elimination without pivoting: for matrices that are totally positive or positive definite.
void solve_band(Matrix& band, Matrix& x);

}  // namespace tauflex
