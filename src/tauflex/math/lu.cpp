#include "tauflex/math/lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tauflex {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<RowMajor, 0, Eigen::OuterStride<>>;

constexpr Eigen::Index block = 32;  // columns that are eliminated together

}  // namespace

void Lu::compute(const MatrixRef& A) {
  assert(A.rows() == A.cols());
  n_ = A.rows();
  a_.resize(A.size());
  row_of_.resize(A.rows());
  y_.resize(A.rows());
  sign_ = 1;
  std::iota(row_of_.begin(), row_of_.end(), 0);
  for (Eigen::Index i = 0; i < n_; ++i)
    for (Eigen::Index j = 0; j < n_; ++j) a_[i * n_ + j] = A(i, j);
  for (Eigen::Index begin = 0; begin < n_; begin += block)
    eliminate(begin, std::min(begin + block, n_));
}

// Columns begin .. end of what the columns before them have left, and what follows from them:
//   [A11 A12]   [L11   0] [U11 U12]
//   [A21 A22] = [L21   1] [ 0  A22 - L21 U12]
void Lu::eliminate(Eigen::Index begin, Eigen::Index end) {
  double* a = a_.data();
  for (Eigen::Index k = begin; k < end; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n_; ++i)
      if (std::abs(a[i * n_ + k]) > std::abs(a[pivot * n_ + k])) pivot = i;
    if (pivot != k) {
      for (Eigen::Index j = 0; j < n_; ++j) std::swap(a[k * n_ + j], a[pivot * n_ + j]);
      std::swap(row_of_[k], row_of_[pivot]);
      sign_ = -sign_;
    }
    const double inverse = a[k * n_ + k] = 1 / a[k * n_ + k];
    if (std::isinf(inverse)) continue;  // the column is zero already
    for (Eigen::Index i = k + 1; i < n_; ++i) {
      const double factor = a[i * n_ + k] *= inverse;
      for (Eigen::Index j = k + 1; j < end; ++j) a[i * n_ + j] -= factor * a[k * n_ + j];
    }
  }
  if (end == n_) return;
  for (Eigen::Index k = begin; k < end; ++k)
    for (Eigen::Index i = k + 1; i < end; ++i)
      for (Eigen::Index j = end; j < n_; ++j) a[i * n_ + j] -= a[i * n_ + k] * a[k * n_ + j];
  const Eigen::Index rest = n_ - end, width = end - begin;
  const Eigen::OuterStride<> stride(n_);
  Block(a + end * n_ + end, rest, rest, stride).noalias() -=
      Block(a + end * n_ + begin, rest, width, stride) *
      Block(a + begin * n_ + end, width, rest, stride);
}

void Lu::solve(const VectorRef& b, VectorOut x) const {
  assert(b.size() == n_ && x.size() == n_);
  const double* a = a_.data();
  double* y = y_.data();
  for (Eigen::Index i = 0; i < n_; ++i) y[i] = b[row_of_[i]];
  for (Eigen::Index i = 1; i < n_; ++i)
    for (Eigen::Index j = 0; j < i; ++j) y[i] -= a[i * n_ + j] * y[j];
  for (Eigen::Index i = n_ - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j < n_; ++j) y[i] -= a[i * n_ + j] * y[j];
    if (y[i] != 0) y[i] *= a[i * n_ + i];
  }
  for (Eigen::Index i = 0; i < n_; ++i) x[i] = y[i];
}

Matrix Lu::solve(const Matrix& B) const {
  const double* a = a_.data();
  RowMajor X(B.rows(), B.cols());
  for (Eigen::Index i = 0; i < n_; ++i) X.row(i) = B.row(row_of_[i]);
  for (Eigen::Index i = 1; i < n_; ++i)
    for (Eigen::Index j = 0; j < i; ++j) X.row(i) -= a[i * n_ + j] * X.row(j);
  for (Eigen::Index i = n_ - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j < n_; ++j) X.row(i) -= a[i * n_ + j] * X.row(j);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (X(i, j) != 0) X(i, j) *= a[i * n_ + i];
  }
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
