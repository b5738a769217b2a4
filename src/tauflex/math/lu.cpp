#include "tauflex/math/lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tauflex {

namespace {

// c -= f B for one row c; rows of B are `stride` apart. Four of them go into one pass over c.
void subtract_product(const double* f, const double* B, Eigen::Index rows, Eigen::Index stride,
                      double* c, Eigen::Index length) {
  Eigen::Index k = 0;
  for (; k + 4 <= rows; k += 4) {
    const double f0 = f[k], f1 = f[k + 1], f2 = f[k + 2], f3 = f[k + 3];
    const double *b0 = B + k * stride, *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
#pragma GCC ivdep
    for (Eigen::Index j = 0; j < length; ++j)
      c[j] -= (f0 * b0[j] + f1 * b1[j]) + (f2 * b2[j] + f3 * b3[j]);
  }
  for (; k < rows; ++k)
#pragma GCC ivdep
    for (Eigen::Index j = 0; j < length; ++j) c[j] -= f[k] * B[k * stride + j];
}

// In four sums that do not wait for each other.
inline double dot_product(const double* a, const double* b, Eigen::Index n) {
  double sum[4] = {};
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

constexpr Eigen::Index narrow = 4;  // columns that are eliminated one by one
constexpr Eigen::Index small = 16;  // rows of a matrix for which blocks do not pay

// Column after column, in rows of four at a time: U and what is left of A stand apart from L, so
// that rows may begin and end anywhere. Returns the sign of the order of rows.
int eliminate_small(const MatrixRef& A, double* a, Eigen::Index* row_of) {
  const Eigen::Index n = A.rows();
  int sign = 1;
  constexpr Eigen::Index lanes = 4;
  using Lanes = Eigen::Map<Eigen::Array<double, lanes, 1>, Eigen::Aligned32>;
  alignas(32) double rows[small * small], L[small * small];
  const Eigen::Index stride = (n + lanes - 1) / lanes * lanes;
  for (Eigen::Index j = 0; j < stride; ++j)
    for (Eigen::Index i = 0; i < n; ++i) rows[i * stride + j] = j < n ? A(i, j) : 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(rows[i * stride + k]) > std::abs(rows[pivot * stride + k])) pivot = i;
    double* top = rows + k * stride;
    if (pivot != k) {
      std::swap_ranges(top, top + stride, rows + pivot * stride);
      std::swap_ranges(L + k * small, L + k * small + k, L + pivot * small);
      std::swap(row_of[k], row_of[pivot]);
      sign = -sign;
    }
    const double inverse = 1 / top[k];
    L[k * small + k] = inverse;
    const bool is_zero = std::isinf(inverse);  // the column is zero already
    for (Eigen::Index i = k + 1; i < n; ++i) {
      double* row = rows + i * stride;
      const double factor = L[i * small + k] = is_zero ? row[k] : row[k] * inverse;
      if (is_zero) continue;
      for (Eigen::Index j = (k + 1) / lanes * lanes; j < stride; j += lanes)
        Lanes(row + j) -= factor * Lanes(top + j);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) a[i * n + j] = L[i * small + j];
    for (Eigen::Index j = i + 1; j < n; ++j) a[i * n + j] = rows[i * stride + j];
  }
  return sign;
}

}  // namespace

void Lu::compute(const MatrixRef& A) {
  assert(A.rows() == A.cols());
  n_ = A.rows();
  a_.resize(A.size());
  row_of_.resize(A.rows());
  y_.resize(A.rows());
  sign_ = 1;
  std::iota(row_of_.begin(), row_of_.end(), 0);
  if (n_ <= small) {
    sign_ = eliminate_small(A, a_.data(), row_of_.data());
    return;
  }
  for (Eigen::Index i = 0; i < n_; ++i)
    for (Eigen::Index j = 0; j < n_; ++j) a_[i * n_ + j] = A(i, j);
  eliminate(0, n_);
}

// Columns begin .. end, from what the columns before them have left. Halves of them one after the
// other, so that most of the work is a product of blocks:
//   [A11 A12]   [L11  0] [U11 U12]
//   [A21 A22] = [L21  1] [ 0  A22 - L21 U12]
void Lu::eliminate(Eigen::Index begin, Eigen::Index end) {
  if (end - begin <= narrow) {
    for (Eigen::Index k = begin; k < end; ++k) eliminate_column(k, end);
    return;
  }
  const Eigen::Index middle = begin + (end - begin) / 2;
  eliminate(begin, middle);
  double* a = a_.data();
  for (Eigen::Index i = begin + 1; i < n_; ++i)
    subtract_product(a + i * n_ + begin, a + begin * n_ + middle, std::min(i, middle) - begin, n_,
                     a + i * n_ + middle, end - middle);
  eliminate(middle, end);
}

// The pivot of column k, and what it does to the columns up to `end`.
void Lu::eliminate_column(Eigen::Index k, Eigen::Index end) {
  double* a = a_.data();
  Eigen::Index pivot = k;
  for (Eigen::Index i = k + 1; i < n_; ++i)
    if (std::abs(a[i * n_ + k]) > std::abs(a[pivot * n_ + k])) pivot = i;
  if (pivot != k) {
    std::swap_ranges(a + k * n_, a + (k + 1) * n_, a + pivot * n_);
    std::swap(row_of_[k], row_of_[pivot]);
    sign_ = -sign_;
  }
  const double inverse = a[k * n_ + k] = 1 / a[k * n_ + k];
  if (std::isinf(inverse)) return;  // the column is zero already
  const double* top = a + k * n_;
  for (Eigen::Index i = k + 1; i < n_; ++i) {
    double* row = a + i * n_;
    const double factor = row[k] *= inverse;
#pragma GCC ivdep
    for (Eigen::Index j = k + 1; j < end; ++j) row[j] -= factor * top[j];
  }
}

void Lu::solve(const VectorRef& b, VectorOut x) const {
  assert(b.size() == n_ && x.size() == n_);
  const double* a = a_.data();
  double* y = y_.data();
  for (Eigen::Index i = 0; i < n_; ++i) y[i] = b[row_of_[i]];
  for (Eigen::Index i = 1; i < n_; ++i) y[i] -= dot_product(a + i * n_, y, i);
  for (Eigen::Index i = n_ - 1; i >= 0; --i) {
    y[i] -= dot_product(a + i * n_ + i + 1, y + i + 1, n_ - i - 1);
    if (y[i] != 0) y[i] *= a[i * n_ + i];
  }
  for (Eigen::Index i = 0; i < n_; ++i) x[i] = y[i];
}

void Lu::solve_columns(const MatrixRef& B, MatrixOut X) const {
  assert(B.rows() == n_ && X.rows() == n_ && X.cols() == B.cols());
  const Eigen::Index m = B.cols();
  const double* a = a_.data();
  y_.resize(std::max<Eigen::Index>(n_ * m, n_));
  double* y = y_.data();  // row by row
  for (Eigen::Index i = 0; i < n_; ++i)
    for (Eigen::Index j = 0; j < m; ++j) y[i * m + j] = B(row_of_[i], j);
  for (Eigen::Index i = 1; i < n_; ++i) subtract_product(a + i * n_, y, i, m, y + i * m, m);
  for (Eigen::Index i = n_ - 1; i >= 0; --i) {
    double* row = y + i * m;
    subtract_product(a + i * n_ + i + 1, row + m, n_ - i - 1, m, row, m);
    for (Eigen::Index j = 0; j < m; ++j)
      if (row[j] != 0) row[j] *= a[i * n_ + i];
  }
  for (Eigen::Index i = 0; i < n_; ++i)
    for (Eigen::Index j = 0; j < m; ++j) X(i, j) = y[i * m + j];
}

Matrix Lu::solve(const Matrix& B) const {
  Matrix X(B.rows(), B.cols());
  solve_columns(B, X);
  return X;
}

double Lu::pivot_ratio() const {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (Eigen::Index i = 0; i < n_; ++i) {
    const double pivot = std::abs(1 / a_[i * n_ + i]);
    if (std::isnan(pivot)) return pivot;
    smallest = std::min(smallest, pivot);
    largest = std::max(largest, pivot);
  }
  return smallest / largest;
}

double Lu::determinant() const {
  double value = sign_;
  for (Eigen::Index i = 0; i < n_; ++i) value /= a_[i * n_ + i];
  return value;
}

int Lu::determinant_sign() const {
  int sign = sign_;
  for (Eigen::Index i = 0; i < n_; ++i) {
    const double inverse = a_[i * n_ + i];
    if (!std::isfinite(inverse)) return 0;
    if (inverse < 0) sign = -sign;
  }
  return sign;
}

}  // namespace tauflex
