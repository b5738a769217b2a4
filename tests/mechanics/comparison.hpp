// What the tests of mechanics compare with: relative differences, and Jacobians by Dual.
#pragma once

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/math/dual.hpp"

namespace tauflex {

// Largest difference over the largest entry of the expected values.
inline double relative_difference(const Matrix& value, const Matrix& expected) {
  if (expected.size() == 0) return value.size() == 0 ? 0 : 1;
  const double difference = (value - expected).cwiseAbs().maxCoeff();
  const double size = expected.cwiseAbs().maxCoeff();
  return size > 0 ? difference / size : difference;
}

inline VectorOf<Dual> along(const Vector& x, const Vector& direction) {
  VectorOf<Dual> y(x.size());
  for (int i = 0; i < x.size(); ++i) y[i] = Dual(x[i], direction[i]);
  return y;
}

inline Vector slopes(const VectorOf<Dual>& x) {
  Vector y(x.size());
  for (int i = 0; i < x.size(); ++i) y[i] = x[i].slope;
  return y;
}

// df/dx, column by column; f takes and gives a VectorOf<Dual>.
template <class F>
Matrix dual_jacobian(const F& f, const Vector& x) {
  Matrix J;
  for (int k = 0; k < x.size(); ++k) {
    const VectorOf<Dual> y = f(along(x, Vector::Unit(x.size(), k)));
    if (k == 0) J.resize(y.size(), x.size());
    J.col(k) = slopes(y);
  }
  return J;
}

}  // namespace tauflex
