#include "tauflex/trajectory/b_splines.hpp"

#include <algorithm>

namespace tauflex {

void fill_basis(const Vector& knots, int degree, int l, double t, BasisTriangle& N) {
  N[0][0] = 1;
  for (int d = 1; d <= degree; ++d) {
    N[d][0] = 0;
    for (int i = 0; i < d; ++i) {  // N_{j+1,d-1} gives to N_j and N_{j+1}
      const int j = l - d + i;
      const double share = N[d - 1][i] / (knots[j + d + 1] - knots[j + 1]);
      N[d][i] += (knots[j + d + 1] - t) * share;
      N[d][i + 1] = (t - knots[j + 1]) * share;
    }
  }
}

Vector knots_of(const VectorRef& breakpoints, int degree) {
  const Eigen::Index n = breakpoints.size();
  Vector knots(n + 2 * degree);
  knots.segment(degree, n) = breakpoints;
  knots.head(degree).setConstant(breakpoints[0]);
  knots.tail(degree).setConstant(breakpoints[n - 1]);
  return knots;
}

int interval_of(const Vector& knots, int degree, double t) {
  const auto first = knots.begin() + degree + 1, last = knots.end() - degree - 1;
  return static_cast<int>(std::upper_bound(first, last, t) - knots.begin()) - 1;
}

// Elimination needs no pivoting for collocation: that matrix is totally positive [DeBoor1978, ch.
// XIII].
void solve_band(Matrix& band, Matrix& x) {
  const Eigen::Index m = band.rows() / 2, n = band.cols();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index row = i + 1; row <= std::min(i + m, n - 1); ++row) {
      const double factor = band(m + i - row, row) / band(m, i);
      for (Eigen::Index j = 1; j <= m; ++j) band(m + i + j - row, row) -= factor * band(m + j, i);
      x.col(row) -= factor * x.col(i);
    }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j <= std::min(i + m, n - 1); ++j)
      x.col(i) -= band(m + j - i, i) * x.col(j);
    x.col(i) /= band(m, i);
  }
}

}  // namespace tauflex
