#include "tauflex/math/small_lu.hpp"

#include <cmath>
#include <utility>

namespace tauflex {

void SmallLu::compute(const Matrix& A) {
  n_ = A.rows();
  const auto size = static_cast<size_t>(n_);
  a_.resize(size * size);
  swapped_.resize(size);
  y_.resize(size);
  double* a = a_.data();
  for (Eigen::Index i = 0; i < n_; ++i)
    for (Eigen::Index j = 0; j < n_; ++j) a[i * n_ + j] = A(i, j);
  for (Eigen::Index k = 0; k < n_; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n_; ++i)
      if (std::abs(a[i * n_ + k]) > std::abs(a[pivot * n_ + k])) pivot = i;
    swapped_[static_cast<size_t>(k)] = pivot;
    if (pivot != k)
      for (Eigen::Index j = 0; j < n_; ++j) std::swap(a[k * n_ + j], a[pivot * n_ + j]);
    const double inverse = a[k * n_ + k] = 1 / a[k * n_ + k];
    for (Eigen::Index i = k + 1; i < n_; ++i) {
      const double factor = a[i * n_ + k] *= inverse;
      for (Eigen::Index j = k + 1; j < n_; ++j) a[i * n_ + j] -= factor * a[k * n_ + j];
    }
  }
}

void SmallLu::solve(const VectorRef& b, VectorOut x) const {
  const double* a = a_.data();
  double* y = y_.data();
  for (Eigen::Index i = 0; i < n_; ++i) y[i] = b[i];
  for (Eigen::Index k = 0; k < n_; ++k) std::swap(y[k], y[swapped_[static_cast<size_t>(k)]]);
  for (Eigen::Index i = 1; i < n_; ++i)
    for (Eigen::Index j = 0; j < i; ++j) y[i] -= a[i * n_ + j] * y[j];
  for (Eigen::Index i = n_ - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j < n_; ++j) y[i] -= a[i * n_ + j] * y[j];
    y[i] *= a[i * n_ + i];
  }
  for (Eigen::Index i = 0; i < n_; ++i) x[i] = y[i];
}

Matrix SmallLu::solve(const Matrix& B) const {
  Matrix X(B.rows(), B.cols());
  for (Eigen::Index k = 0; k < B.cols(); ++k) solve(B.col(k), X.col(k));
  return X;
}

}  // namespace tauflex
