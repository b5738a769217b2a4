// What the tests of mechanics compare with: relative differences, and Jacobians by Dual.
#pragma once

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/math/dual.hpp"
#include "tauflex/math/three.hpp"

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

// df/ds at s = 0 by central differences of order 8; f must be smooth on the scale of 1.
template <class F>
double slope(const F& f) {
  constexpr double h = 2e-3;  // truncation h^8 / 630 and rounding of f / h: both about 1e-13
  return (4.0 / 5 * (f(h) - f(-h)) - 1.0 / 5 * (f(2 * h) - f(-2 * h)) +
          4.0 / 105 * (f(3 * h) - f(-3 * h)) - 1.0 / 280 * (f(4 * h) - f(-4 * h))) /
         h;
}

template <class S>
VectorOf<S> as_vector(const Vector3Of<S>& a) {
  VectorOf<S> x(3);
  for (int i = 0; i < 3; ++i) x[i] = a[i];
  return x;
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
