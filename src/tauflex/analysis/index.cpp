#include "tauflex/analysis/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

ArrayScales scales_in(const DerivativeArray& array, double unit) {
  return {equilibrate(array.A(0).cwiseAbs().cwiseMax(array.B(0).cwiseAbs() / unit)), unit};
}

}  // namespace

ArrayScales array_scales(const DerivativeArray& array) {
  const Matrix &A = array.A(0), &B = array.B(0);
  ArrayScales result;
  // The unit of time in which x and x' weigh the same, once equations and variables are scaled:
  // for m q'' + k q it is sqrt(m/k).
  for (int round = 0; round < 12; ++round) {
    result = scales_in(array, result.unit);
    const auto size = [&](const Matrix& part) {
      return (result.scales.rows.asDiagonal() * part * result.scales.columns.asDiagonal()).norm();
    };
    if (A.isZero(0) || B.isZero(0)) break;
    const double factor = std::exp2(std::round(std::log2(size(B) / result.unit / size(A))));
    if (factor == 1) break;
    result.unit *= factor;
  }
  return result;
}

Matrix array_matrix(const DerivativeArray& array, const ArrayScales& by, int order, int first,
                    int last) {
  const int n = array.size();
  Matrix M((order + 1) * n, (last - first + 1) * n);
  for (int j = 0; j <= order; ++j)
    for (int k = first; k <= last; ++k) {
      auto block = M.block(j * n, (k - first) * n, n, n);
      array.block(j, k, block);
      block = std::pow(by.unit, j - k) * by.scales.rows.asDiagonal() * block *
              by.scales.columns.asDiagonal();
    }
  return M;
}

namespace {

RankDecision rank_of(const Matrix& M, double threshold) {
  return decide_rank(singular_values(M), threshold);
}

// As many columns as the matrix has rows, those that span the others best; then the others.
void split_columns(const Matrix& rows, std::vector<int>& first, std::vector<int>& others) {
  const std::vector<int> order = pivot_columns(rows).columns;
  first.assign(order.begin(), order.begin() + rows.rows());
  others.assign(order.begin() + rows.rows(), order.end());
  std::sort(first.begin(), first.end());
  std::sort(others.begin(), others.end());
}

double condition(const Matrix& A) {
  if (A.size() == 0) return 1;
  const Vector sigma = singular_values(A);
  const double smallest = sigma[sigma.size() - 1];
  return smallest > 1e-12 * sigma[0] ? sigma[0] / smallest
                                     : std::numeric_limits<double>::infinity();
}

// Orthonormal columns Z with Z^T A = 0, as many as the rank leaves: by pivoting, which is several
// times cheaper than singular vectors.
Matrix left_null_space(const Matrix& A, Eigen::Index rank) {
  return column_space(A, A.rows()).rightCols(A.rows() - rank);
}

// Hypothesis 1 with this mu; fills the result when it holds.
bool holds(const DerivativeArray& array, int mu, double tolerance, IndexAnalysis& result) {
  const int n = array.size();
  double gap = std::numeric_limits<double>::infinity();
  const auto clear = [&](const RankDecision& decision) {
    gap = std::min(gap, decision.gap);
    return decision.rank;
  };
  const Matrix M = array_matrix(array, result.scales, mu, 1, mu + 1);
  const Vector sigma = singular_values(M);
  const double size = sigma.size() > 0 ? sigma[0] : 0;
  const int rank = clear(decide_rank(sigma, tolerance * std::max(size, 1.0)));
  const int a = (mu + 1) * n - rank, d = n - a;
  if (d < 0) return false;
  const Matrix Z2 = left_null_space(M, rank);
  const Matrix A2 = Z2.transpose() * array_matrix(array, result.scales, mu, 0, 0);
  if (clear(decide_rank(singular_values(A2), tolerance)) != a) return false;
  const Matrix T2 = left_null_space(A2.transpose(), a);
  const Matrix F_xdot = result.scales.scales.rows.asDiagonal() * array.B(0) *
                        result.scales.scales.columns.asDiagonal() / result.scales.unit;
  if (clear(rank_of(F_xdot * T2, tolerance)) != d) return false;
  result.found = true;
  result.strangeness_index = mu;
  result.algebraic_count = a;
  result.differential_count = d;
  result.gap = gap;
  result.A2 = A2;
  result.dynamic = F_xdot * T2;
  return true;
}

int first_full_order(DerivativeArray& array, const ArrayScales& scales, double t, const Matrix& X,
                     const IndexOptions& options) {
  for (int nu = 0; nu <= options.largest; ++nu) {
    if (array.order() < nu) array.linearize(t, X, nu);
    const Matrix M = array_matrix(array, scales, nu, 1, nu + 1);
    const Vector sigma = singular_values(M);
    const double threshold = options.threshold * std::max(sigma[0], 1.0);
    const int n = array.size();
    if (decide_rank(sigma, threshold).rank ==
        n + (nu > 0 ? rank_of(M.rightCols(nu * n), threshold).rank : 0))
      return nu;
  }
  return -1;
}

constexpr double clear_gap = 1e4;

IndexAnalysis hypothesis(DerivativeArray& array, const ArrayScales& scales, double t,
                         const Matrix& X, const IndexOptions& options) {
  IndexAnalysis result;
  result.scales = scales;
  for (int mu = 0; mu <= options.largest && !result.found; ++mu) {
    if (array.order() < mu) array.linearize(t, X, std::min(mu + 2, options.largest + 1));
    holds(array, mu, options.threshold, result);
  }
  if (result.found)
    result.differential_index = result.algebraic_count > 0 ? result.strangeness_index + 1 : 0;
  return result;
}

}  // namespace

int differential_index(DerivativeArray& array, double t, const Matrix& X,
                       const IndexOptions& options) {
  array.linearize(t, X, 1);
  return first_full_order(array, array_scales(array), t, X, options);
}

IndexAnalysis analyze_index(DerivativeArray& array, double t, const Matrix& X,
                            const IndexOptions& options) {
  array.linearize(t, X, 3);
  const ArrayScales natural = array_scales(array);
  IndexAnalysis result;
  // Other units of time where the ranks are not clear in the natural one.
  for (const double factor : {1.0, 8.0, 1.0 / 8, 64.0}) {
    IndexAnalysis other = hypothesis(array, scales_in(array, factor * natural.unit), t, X, options);
    if (other.found && other.gap > result.gap) result = std::move(other);
    if (result.gap > clear_gap) break;
  }
  if (!result.found) return result;
  std::vector<int> others;
  split_columns(result.A2, result.algebraic, result.differential);
  split_columns(result.dynamic.transpose(), result.differential_equations, others);
  return result;
}

double condition_of_algebraic(const IndexAnalysis& analysis, const std::vector<int>& algebraic) {
  if (static_cast<int>(algebraic.size()) != analysis.algebraic_count)
    return std::numeric_limits<double>::infinity();
  return condition(analysis.A2(Eigen::all, algebraic));
}

double condition_of_differential_equations(const IndexAnalysis& analysis,
                                           const std::vector<int>& equations) {
  if (static_cast<int>(equations.size()) != analysis.differential_count)
    return std::numeric_limits<double>::infinity();
  return condition(analysis.dynamic(equations, Eigen::all));
}

}  // namespace tauflex
