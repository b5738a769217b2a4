// Dual numbers: a value and its derivative in one direction, a + b e with e^2 = 0.
// The oracle of every hand-written Jacobian, and the way to derivatives of Jets.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "tauflex/math/sine_cosine.hpp"

namespace tauflex {

struct Dual {
  double value = 0;
  double slope = 0;

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT: numbers are duals without slope
  Dual(double v, double s) : value(v), slope(s) {}

  Dual& operator+=(const Dual& b) { return *this = {value + b.value, slope + b.slope}; }
  Dual& operator-=(const Dual& b) { return *this = {value - b.value, slope - b.slope}; }
  Dual& operator*=(const Dual& b) {
    return *this = {value * b.value, slope * b.value + value * b.slope};
  }
  Dual& operator/=(const Dual& b) {
    const double quotient = value / b.value;
    return *this = {quotient, (slope - quotient * b.slope) / b.value};
  }
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }
};

inline void sin_cos(const Dual& a, Dual& s, Dual& c) {
  double sine, cosine;
  sin_cos(a.value, sine, cosine);
  s = {sine, a.slope * cosine};
  c = {cosine, -a.slope * sine};
}
inline Dual sin(const Dual& a) {
  Dual s, c;
  sin_cos(a, s, c);
  return s;
}
inline Dual cos(const Dual& a) {
  Dual s, c;
  sin_cos(a, s, c);
  return c;
}
inline Dual exp(const Dual& a) {
  const double e = std::exp(a.value);
  return {e, a.slope * e};
}
inline Dual log(const Dual& a) { return {std::log(a.value), a.slope / a.value}; }
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value);
  return {root, a.slope / (2 * root)};
}
inline Dual tanh(const Dual& a) {
  const double t = std::tanh(a.value);
  return {t, a.slope * (1 - t * t)};
}
inline Dual abs(const Dual& a) { return a.value < 0 ? -a : a; }
inline double leading(const Dual& a) { return a.value; }

}  // namespace tauflex

template <>
struct Eigen::NumTraits<tauflex::Dual> : Eigen::NumTraits<double> {
  using Real = tauflex::Dual;
  using NonInteger = tauflex::Dual;
  using Nested = tauflex::Dual;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 4
  };
};
