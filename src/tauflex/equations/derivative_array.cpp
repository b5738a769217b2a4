#include "tauflex/equations/derivative_array.hpp"

#include <numeric>

namespace tauflex {

namespace {

// x and x' as Jets of one order from the columns of X. What stands still is a constant, of order 0:
// products with it are those of numbers.
template <class J>
void fill(const Matrix& X, int order, VectorOf<J>& x, VectorOf<J>& xdot) {
  const auto coefficient = [&](Eigen::Index i, int k) { return k < X.cols() ? X(i, k) : 0.0; };
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    if (X.cols() < 2 || X.row(i).tail(X.cols() - 1).isZero(0)) {
      x[i] = J(coefficient(i, 0));
      xdot[i] = J(0.0);
      continue;
    }
    x[i] = xdot[i] = J::zero(order);
    for (int k = 0; k <= order; ++k) {
      x[i][k] = coefficient(i, k);
      xdot[i][k] = (k + 1) * coefficient(i, k + 1);
    }
  }
}

}  // namespace

DerivativeArray::DerivativeArray(Dae& dae)
    : dae_(dae),
      n_(dae.size()),
      x_(n_),
      xdot_(n_),
      r_(n_),
      x_dual_(n_),
      xdot_dual_(n_),
      r_dual_(n_),
      all_(n_) {
  std::iota(all_.begin(), all_.end(), 0);
}

void DerivativeArray::residual(double t, const Matrix& X, int order, Matrix& F) {
  fill(X, order, x_, xdot_);
  dae_.residual(Jet::time(t, order), x_, xdot_, r_);
  F.resize(n_, order + 1);
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k <= order; ++k) F(i, k) = r_[i].coefficient(k);
}

void DerivativeArray::linearize(double t, const Matrix& X, int order) {
  linearize(t, X, order, all_, all_);
}

void DerivativeArray::linearize(double t, const Matrix& X, int order,
                                const std::vector<int>& variables, const std::vector<int>& rates) {
  const int count = order + 1;
  if (std::ssize(A_) != count) {
    A_.assign(count, Matrix::Zero(n_, n_));
    B_ = A_;
  }
  fill(X, order, x_dual_, xdot_dual_);
  const JetOfDual time = JetOfDual::time(t, order);
  const auto differentiate = [&](const std::vector<int>& columns, VectorOf<JetOfDual>& direction,
                                 std::vector<Matrix>& series) {
    for (const int j : columns) {
      direction[j][0].slope = 1;
      dae_.residual(time, x_dual_, xdot_dual_, r_dual_);
      direction[j][0].slope = 0;
      for (int i = 0; i < n_; ++i)
        for (int k = 0; k <= order; ++k) series[k](i, j) = r_dual_[i].coefficient(k).slope;
    }
  };
  differentiate(variables, x_dual_, A_);
  differentiate(rates, xdot_dual_, B_);
}

void DerivativeArray::block(int j, int k, MatrixOut out) const {
  out.setZero();
  if (j >= k) out += A(j - k);
  if (k > 0 && j + 1 >= k) out += k * B(j - k + 1);
}

}  // namespace tauflex
