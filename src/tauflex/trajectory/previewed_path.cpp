#include "tauflex/trajectory/previewed_path.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// Samples of a polynomial, and how many of them lie before the time that is asked for.
constexpr int stencil = 8, before = 3;

// Row j: coefficient j of the polynomial through values at -before, .., stencil - 1 - before.
const Matrix& coefficients_of_samples() {
  static const Matrix inverse = [] {
    Matrix powers(stencil, stencil);
    for (int i = 0; i < stencil; ++i)
      for (int j = 0; j < stencil; ++j) powers(i, j) = std::pow(i - before, j);
    return solve_linear(powers, Matrix::Identity(stencil, stencil));
  }();
  return inverse;
}

}  // namespace

PreviewedPath::PreviewedPath(std::shared_ptr<const OutputPath> whole, double begin, double step,
                             int ahead)
    : whole_(std::move(whole)),
      begin_(begin),
      step_(step),
      ahead_(ahead),
      samples_(whole_->size(), ahead + 2 * stencil),
      next_(whole_->size(), 1) {
  coefficients_of_samples();
  reset();
}

void PreviewedPath::reset() {
  is_given_ = was_given_ = false;
  newest_ = -1;
  for (int k = 0; k <= ahead_; ++k) advance();
}

void PreviewedPath::push(const VectorRef& y) {
  ++newest_;
  samples_.col(newest_ % samples_.cols()) = y;
}

void PreviewedPath::advance() {
  was_given_ = is_given_;
  whole_->derivatives(next_time(), next_);
  push(next_.col(0));
}

void PreviewedPath::advance(const VectorRef& y) {
  was_given_ = is_given_;
  is_given_ = true;
  push(y);
}

void PreviewedPath::retreat() {
  --newest_;
  is_given_ = was_given_;
}

void PreviewedPath::derivatives(double t, MatrixOut y) const {
  if (!is_given_) return whole_->derivatives(t, y);
  const Matrix& inverse = coefficients_of_samples();
  const double x = (t - begin_) / step_;
  // the robot was at rest before the beginning, and so was its path
  const long middle = std::clamp(static_cast<long>(std::floor(x)), 0L,
                                 std::max(0L, newest_ - (stencil - 1 - before)));
  const double at = x - static_cast<double>(middle);
  y.setZero();
  for (int output = 0; output < size(); ++output) {
    double c[stencil] = {};
    for (int i = 0; i < stencil; ++i) {
      const double value = sample(std::clamp(middle - before + i, 0L, newest_))[output];
      for (int j = 0; j < stencil; ++j) c[j] += inverse(j, i) * value;
    }
    // c becomes coefficients about `at`, by Horner's scheme again and again
    double factor = 1;
    for (int k = 0; k < stencil && k < y.cols(); ++k) {
      for (int j = stencil - 2; j >= k; --j) c[j] += at * c[j + 1];
      if (k > 0) factor *= k / step_;
      y(output, k) = factor * c[k];
    }
  }
}

}  // namespace tauflex
