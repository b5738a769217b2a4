// Vectors and matrices of size 3 over any scalar: Eigen's over doubles, plain ones with the same
// names over Duals and Jets, so that one text serves both. Eigen's expressions over such scalars
// take longer to compile than the rest of mechanics, and gain nothing. A product with a vector or a
// matrix of doubles multiplies coefficients and makes no series of the doubles.
#pragma once

#include <type_traits>

#include "tauflex/base/linear_algebra.hpp"
#include "tauflex/math/jet.hpp"

namespace tauflex {

template <class S>
struct Three {
  S c[3];

  Three() = default;
  Three(const S& x, const S& y, const S& z) : c{x, y, z} {}
  Three(const Vector3& a) : c{S(a[0]), S(a[1]), S(a[2])} {}  // NOLINT: numbers are constants

  static Three Zero() { return {S(0), S(0), S(0)}; }

  S& operator[](int i) { return c[i]; }
  const S& operator[](int i) const { return c[i]; }

  S dot(const Three& b) const;
  Three cross(const Three& b) const;
  S squaredNorm() const { return dot(*this); }
  Three times(const S& s) const;
  Three turned_by(const Matrix3& m) const;  // m times this

  Three& operator+=(const Three& b);
  Three& operator-=(const Three& b);
  friend Three operator+(Three a, const Three& b) { return a += b; }
  friend Three operator-(Three a, const Three& b) { return a -= b; }
  friend Three operator-(const Three& a) { return {-a.c[0], -a.c[1], -a.c[2]}; }
  friend Three operator*(const Three& a, const S& s) { return a.times(s); }
  friend Three operator*(const Three& a, double s) { return {a.c[0] * s, a.c[1] * s, a.c[2] * s}; }
  friend Three operator/(const Three& a, const S& s) {
    return {a.c[0] / s, a.c[1] / s, a.c[2] / s};
  }
  friend Three operator*(const Matrix3& m, const Three& a) { return a.turned_by(m); }
};

template <class S>
struct ThreeByThree {
  Three<S> columns[3];

  ThreeByThree() = default;
  ThreeByThree(const Matrix3& a)  // NOLINT: numbers are constants
      : columns{Vector3(a.col(0)), Vector3(a.col(1)), Vector3(a.col(2))} {}

  static ThreeByThree Zero() { return {}; }
  static ThreeByThree Identity() {
    ThreeByThree m;
    for (int k = 0; k < 3; ++k) m(k, k) = S(1);
    return m;
  }

  S& operator()(int i, int j) { return columns[j].c[i]; }
  const S& operator()(int i, int j) const { return columns[j].c[i]; }
  Three<S>& col(int j) { return columns[j]; }
  const Three<S>& col(int j) const { return columns[j]; }

  Three<S> times(const Three<S>& x) const;
  Three<S> times(const Vector3& x) const;
  ThreeByThree times(const ThreeByThree& b) const;
  ThreeByThree times(const Matrix3& b) const;
  Three<S> transposed_times(const Three<S>& x) const;
  ThreeByThree transposed_times(const ThreeByThree& b) const;
  ThreeByThree transposed() const;

  ThreeByThree& operator+=(const ThreeByThree& b) {
    for (int j = 0; j < 3; ++j) columns[j] += b.columns[j];
    return *this;
  }
  ThreeByThree& operator-=(const ThreeByThree& b) {
    for (int j = 0; j < 3; ++j) columns[j] -= b.columns[j];
    return *this;
  }
  friend ThreeByThree operator+(ThreeByThree a, const ThreeByThree& b) { return a += b; }
  friend ThreeByThree operator-(ThreeByThree a, const ThreeByThree& b) { return a -= b; }
  friend ThreeByThree operator*(ThreeByThree a, const S& s) {
    for (Three<S>& column : a.columns) column = column * s;
    return a;
  }
  friend ThreeByThree operator/(ThreeByThree a, const S& s) {
    for (Three<S>& column : a.columns) column = column / s;
    return a;
  }
  friend Three<S> operator*(const ThreeByThree& a, const Three<S>& x) { return a.times(x); }
  friend Three<S> operator*(const ThreeByThree& a, const Vector3& x) { return a.times(x); }
  friend ThreeByThree operator*(const ThreeByThree& a, const ThreeByThree& b) { return a.times(b); }
  friend ThreeByThree operator*(const ThreeByThree& a, const Matrix3& b) { return a.times(b); }

  // A factor of a product: R.transpose() * x.
  struct Transpose {
    const ThreeByThree& m;
    friend Three<S> operator*(const Transpose& a, const Three<S>& x) {
      return a.m.transposed_times(x);
    }
    friend ThreeByThree operator*(const Transpose& a, const ThreeByThree& b) {
      return a.m.transposed_times(b);
    }
    friend ThreeByThree operator*(const ThreeByThree& a, const Transpose& b) {
      return a.times(b.m.transposed());
    }
  };
  Transpose transpose() const { return {*this}; }
};

template <class S>
using Vector3Of = std::conditional_t<std::is_same_v<S, double>, Vector3, Three<S>>;
template <class S>
using Matrix3Of = std::conditional_t<std::is_same_v<S, double>, Matrix3, ThreeByThree<S>>;

// x[begin], x[begin + 1] and x[begin + 2], and back.
template <class S>
Vector3Of<S> three_of(const VectorRefOf<S>& x, Eigen::Index begin) {
  return {x[begin], x[begin + 1], x[begin + 2]};
}
template <class S>
void set_three(VectorOutOf<S> x, Eigen::Index begin, const Vector3Of<S>& a) {
  for (int i = 0; i < 3; ++i) x[begin + i] = a[i];
}

// a b^T
template <class S>
Matrix3Of<S> outer(const Vector3Of<S>& a, const Vector3Of<S>& b) {
  Matrix3Of<S> m;
  for (int j = 0; j < 3; ++j) m.col(j) = a * b[j];
  return m;
}

template <class S>
S Three<S>::dot(const Three& b) const {
  return c[0] * b.c[0] + (c[1] * b.c[1] + c[2] * b.c[2]);
}

template <class S>
Three<S> Three<S>::cross(const Three& b) const {
  return {c[1] * b.c[2] - c[2] * b.c[1],  //
          c[2] * b.c[0] - c[0] * b.c[2],  //
          c[0] * b.c[1] - c[1] * b.c[0]};
}

template <class S>
Three<S> Three<S>::times(const S& s) const {
  return {c[0] * s, c[1] * s, c[2] * s};
}

template <class S>
Three<S>& Three<S>::operator+=(const Three& b) {
  for (int i = 0; i < 3; ++i) c[i] += b.c[i];
  return *this;
}

template <class S>
Three<S>& Three<S>::operator-=(const Three& b) {
  for (int i = 0; i < 3; ++i) c[i] -= b.c[i];
  return *this;
}

template <class S>
Three<S> Three<S>::turned_by(const Matrix3& m) const {
  Three<S> y;
  for (int i = 0; i < 3; ++i) y.c[i] = c[0] * m(i, 0) + (c[1] * m(i, 1) + c[2] * m(i, 2));
  return y;
}

template <class S>
Three<S> ThreeByThree<S>::times(const Three<S>& x) const {
  const ThreeByThree& a = *this;
  Three<S> y;
  for (int i = 0; i < 3; ++i) y[i] = a(i, 0) * x[0] + (a(i, 1) * x[1] + a(i, 2) * x[2]);
  return y;
}

template <class S>
Three<S> ThreeByThree<S>::times(const Vector3& x) const {
  const ThreeByThree& a = *this;
  Three<S> y;
  for (int i = 0; i < 3; ++i) y[i] = a(i, 0) * x[0] + (a(i, 1) * x[1] + a(i, 2) * x[2]);
  return y;
}

template <class S>
ThreeByThree<S> ThreeByThree<S>::times(const ThreeByThree& b) const {
  ThreeByThree c;
  for (int j = 0; j < 3; ++j) c.columns[j] = times(b.columns[j]);
  return c;
}

template <class S>
ThreeByThree<S> ThreeByThree<S>::times(const Matrix3& b) const {
  ThreeByThree c;
  for (int j = 0; j < 3; ++j) c.columns[j] = times(Vector3(b.col(j)));
  return c;
}

template <class S>
Three<S> ThreeByThree<S>::transposed_times(const Three<S>& x) const {
  return {columns[0].dot(x), columns[1].dot(x), columns[2].dot(x)};
}

template <class S>
ThreeByThree<S> ThreeByThree<S>::transposed_times(const ThreeByThree& b) const {
  ThreeByThree c;
  for (int j = 0; j < 3; ++j) c.columns[j] = transposed_times(b.columns[j]);
  return c;
}

template <class S>
ThreeByThree<S> ThreeByThree<S>::transposed() const {
  ThreeByThree c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c(i, j) = (*this)(j, i);
  return c;
}

// Compiled once, in three.cpp. Duals are as small as doubles and stay inline.
extern template struct Three<Jet>;
extern template struct Three<JetOfDual>;
extern template struct Three<ShortJet2>;
extern template struct Three<ShortJet4>;
extern template struct ThreeByThree<Jet>;
extern template struct ThreeByThree<JetOfDual>;
extern template struct ThreeByThree<ShortJet2>;
extern template struct ThreeByThree<ShortJet4>;

}  // namespace tauflex
