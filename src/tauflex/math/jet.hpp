// Jets: truncated Taylor series in time, a(t0 + s) = sum_k a[k] s^k, of fixed capacity, no heap.
// Jet has its order at run time; a ShortJet, for inner loops, has it in its type and is ten times
// faster.
// Written once over the coefficient type: double for time derivatives, Dual for derivatives of
// them.
//   products      c[k] = sum_j a[j] b[k-j]
//   functions     from the differential equation of each function, coefficient by coefficient
// A Jet of order 0 is a constant; all other Jets of one computation have the same order. Constants
// of ShortJet are series like others.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <type_traits>

#include "tauflex/math/dual.hpp"

namespace tauflex {

inline double leading(double a) { return a; }

// Arithmetic of series whose order is known at run time, compiled once: c may be a or b only where
// it is said. Orders are those of the highest coefficients.
template <class T>
struct SeriesArithmetic {
  static void copy(const T* a, int order, T* c);
  static void add(const T* b, int order, T* a);       // a += b
  static void subtract(const T* b, int order, T* a);  // a -= b
  static void scale(const T* a, const T& factor, int order, T* c);
  static void multiply(const T* a, const T* b, int order, T* c);
  static void divide(const T* a, int a_order, const T* b, int b_order, T* c);
  static void sin_cos(const T* a, int order, T* s, T* c);
};
extern template struct SeriesArithmetic<double>;
extern template struct SeriesArithmetic<Dual>;

template <class T, int Fixed = -1>
class JetOf {
 public:
  static constexpr bool is_fixed = Fixed >= 0;
  // coefficients: derivatives 0 .. 15
  static constexpr int capacity = is_fixed ? Fixed + 1 : 16;

  JetOf() : JetOf(T(0)) {}
  // NOLINT: numbers are constants
  JetOf(const T& constant) {
    set_order(is_fixed ? Fixed : 0);
    c_[0] = constant;
    for (int k = 1; k <= order(); ++k) c_[k] = T(0);
  }
  JetOf(double constant) requires(!std::is_same_v<T, double>) : JetOf(T(constant)) {}  // NOLINT
  JetOf(const JetOf&) requires is_fixed = default;
  JetOf& operator=(const JetOf&) requires is_fixed = default;
  JetOf(const JetOf& other) { *this = other; }
  JetOf& operator=(const JetOf& other) {
    set_order(other.order());
    SeriesArithmetic<T>::copy(other.c_.data(), order(), c_.data());
    return *this;
  }

  static JetOf zero(int order) {
    assert(order < capacity);
    JetOf a;
    a.set_order(order);
    for (int k = 1; k <= a.order(); ++k) a.c_[k] = T(0);
    return a;
  }
  // Time itself: t + s.
  static JetOf time(double t, int order) {
    JetOf a = zero(order);
    a.c_[0] = T(t);
    if (order > 0) a.c_[1] = T(1);
    return a;
  }

  int order() const {
    if constexpr (is_fixed)
      return Fixed;
    else
      return order_;
  }
  T& operator[](int k) { return c_[k]; }
  const T& operator[](int k) const { return c_[k]; }
  T coefficient(int k) const { return k <= order() ? c_[k] : T(0); }
  // The k-th time derivative, k! a[k].
  T derivative(int k) const {
    T value = coefficient(k);
    for (int j = 2; j <= k; ++j) value = value * T(j);
    return value;
  }
  // The series of the time derivative, one order shorter.
  JetOf differentiated() const requires(!is_fixed) {
    JetOf d = zero(std::max(order() - 1, 0));
    for (int k = 1; k <= order(); ++k) d.c_[k - 1] = T(k) * c_[k];
    return d;
  }

  JetOf& operator+=(const JetOf& b) {
    if constexpr (is_fixed) {
      for (int k = 0; k <= Fixed; ++k) c_[k] += b.c_[k];
    } else {
      extend(b.order());
      SeriesArithmetic<T>::add(b.c_.data(), b.order(), c_.data());
    }
    return *this;
  }
  JetOf& operator-=(const JetOf& b) {
    if constexpr (is_fixed) {
      for (int k = 0; k <= Fixed; ++k) c_[k] -= b.c_[k];
    } else {
      extend(b.order());
      SeriesArithmetic<T>::subtract(b.c_.data(), b.order(), c_.data());
    }
    return *this;
  }
  JetOf& operator*=(const JetOf& b) { return *this = *this * b; }
  JetOf& operator/=(const JetOf& b) { return *this = *this / b; }

  friend JetOf operator+(JetOf a, const JetOf& b) { return a += b; }
  friend JetOf operator-(JetOf a, const JetOf& b) { return a -= b; }
  friend JetOf operator-(const JetOf& a) {
    JetOf c = zero(a.order());
    for (int k = 0; k <= a.order(); ++k) c.c_[k] = -a.c_[k];
    return c;
  }
  friend JetOf operator*(const JetOf& a, const JetOf& b) {
    if constexpr (!is_fixed) {
      if (a.order_ == 0) return scaled(b, a.c_[0]);
      if (b.order_ == 0) return scaled(a, b.c_[0]);
    }
    JetOf c = unset(common_order(a, b));
    if constexpr (is_fixed) {
#pragma GCC unroll 8
      for (int k = 0; k <= Fixed; ++k) {
        c.c_[k] = a.c_[0] * b.c_[k];
#pragma GCC unroll 8
        for (int j = 1; j <= k; ++j) c.c_[k] += a.c_[j] * b.c_[k - j];
      }
    } else {
      SeriesArithmetic<T>::multiply(a.c_.data(), b.c_.data(), c.order_, c.c_.data());
    }
    return c;
  }
  friend JetOf operator*(const JetOf& a, double b) {
    if constexpr (is_fixed) {
      JetOf c = unset(Fixed);
#pragma GCC unroll 8
      for (int k = 0; k <= Fixed; ++k) c.c_[k] = a.c_[k] * b;
      return c;
    } else {
      return scaled(a, T(b));
    }
  }
  friend JetOf operator*(double a, const JetOf& b) { return b * a; }
  friend JetOf operator/(const JetOf& a, const JetOf& b) {
    JetOf c = unset(common_order(a, b));
    SeriesArithmetic<T>::divide(a.c_.data(), a.order(), b.c_.data(), b.order(), c.c_.data());
    return c;
  }
  friend bool operator==(const JetOf& a, const JetOf& b) { return a.c_[0] == b.c_[0]; }
  friend bool operator<(const JetOf& a, const JetOf& b) { return a.c_[0] < b.c_[0]; }
  friend bool operator>(const JetOf& a, const JetOf& b) { return b < a; }
  friend bool operator<=(const JetOf& a, const JetOf& b) { return !(b < a); }
  friend bool operator>=(const JetOf& a, const JetOf& b) { return !(a < b); }

  // s' = a' c, c' = -a' s
  friend void sin_cos(const JetOf& a, JetOf& s, JetOf& c) {
    if constexpr (is_fixed) {
      sin_cos(a.c_[0], s.c_[0], c.c_[0]);
      for (int k = 1; k <= Fixed; ++k) {
        T ds(0), dc(0);
        for (int j = 1; j <= k; ++j) {
          ds += T(j) * a.c_[j] * c.c_[k - j];
          dc -= T(j) * a.c_[j] * s.c_[k - j];
        }
        s.c_[k] = ds / T(k);
        c.c_[k] = dc / T(k);
      }
    } else {
      s.set_order(a.order());
      c.set_order(a.order());
      SeriesArithmetic<T>::sin_cos(a.c_.data(), a.order(), s.c_.data(), c.c_.data());
    }
  }
  friend JetOf sin(const JetOf& a) {
    JetOf s, c;
    sin_cos(a, s, c);
    return s;
  }
  friend JetOf cos(const JetOf& a) {
    JetOf s, c;
    sin_cos(a, s, c);
    return c;
  }
  friend JetOf sqrt(const JetOf& a) {  // r r = a
    using std::sqrt;
    JetOf r = zero(a.order());
    r.c_[0] = sqrt(a.c_[0]);
    for (int k = 1; k <= a.order(); ++k) {
      T sum = a.c_[k];
      for (int j = 1; j < k; ++j) sum -= r.c_[j] * r.c_[k - j];
      r.c_[k] = sum / (T(2) * r.c_[0]);
    }
    return r;
  }
  friend JetOf exp(const JetOf& a) {  // e' = a' e
    using std::exp;
    JetOf e = zero(a.order());
    e.c_[0] = exp(a.c_[0]);
    for (int k = 1; k <= a.order(); ++k) {
      T sum(0);
      for (int j = 1; j <= k; ++j) sum += T(j) * a.c_[j] * e.c_[k - j];
      e.c_[k] = sum / T(k);
    }
    return e;
  }
  friend JetOf log(const JetOf& a) {  // a l' = a'
    using std::log;
    JetOf l = zero(a.order());
    l.c_[0] = log(a.c_[0]);
    for (int k = 1; k <= a.order(); ++k) {
      T sum = T(k) * a.c_[k];
      for (int j = 1; j < k; ++j) sum -= T(j) * l.c_[j] * a.c_[k - j];
      l.c_[k] = sum / (T(k) * a.c_[0]);
    }
    return l;
  }
  // t' = (1 - t t) a'
  friend JetOf tanh(const JetOf& a) {
    using std::tanh;
    JetOf t = zero(a.order());
    t.c_[0] = tanh(a.c_[0]);
    for (int k = 1; k <= a.order(); ++k) {
      T sum(0);
      for (int j = 1; j <= k; ++j) {
        // Coefficient k - j of t t, known because j >= 1.
        T square(0);
        for (int i = 0; i <= k - j; ++i) square += t.c_[i] * t.c_[k - j - i];
        sum += T(j) * a.c_[j] * ((k == j ? T(1) : T(0)) - square);
      }
      t.c_[k] = sum / T(k);
    }
    return t;
  }
  friend JetOf abs(const JetOf& a) { return a.c_[0] < T(0) ? -a : a; }
  friend double leading(const JetOf& a) { return tauflex::leading(a.c_[0]); }

 private:
  struct Unset {};
  explicit JetOf(Unset) {}
  // All coefficients are written next.
  static JetOf unset(int order) {
    JetOf a{Unset()};
    a.set_order(order);
    return a;
  }
  static int common_order(const JetOf& a, const JetOf& b) {
    assert(a.order() == b.order() || a.order() == 0 || b.order() == 0);
    return std::max(a.order(), b.order());
  }
  static JetOf scaled(const JetOf& a, const T& factor) {
    JetOf c = unset(a.order());
    SeriesArithmetic<T>::scale(a.c_.data(), factor, a.order(), c.c_.data());
    return c;
  }
  void extend(int order) {
    if constexpr (!is_fixed) {
      assert(order == order_ || order == 0 || order_ == 0);
      for (int k = order_ + 1; k <= order; ++k) c_[k] = T(0);
      order_ = std::max(order_, order);
    }
  }
  void set_order([[maybe_unused]] int order) {
    if constexpr (!is_fixed) order_ = order;
  }

  struct InType {};
  [[no_unique_address]] std::conditional_t<is_fixed, InType, int> order_;
  std::array<T, capacity> c_;
};

using Jet = JetOf<double>;
using JetOfDual = JetOf<Dual>;
using ShortJet2 = JetOf<double, 2>;
using ShortJet4 = JetOf<double, 4>;

}  // namespace tauflex

template <class T, int Fixed>
struct Eigen::NumTraits<tauflex::JetOf<T, Fixed>> : Eigen::NumTraits<double> {
  using Real = tauflex::JetOf<T, Fixed>;
  using NonInteger = tauflex::JetOf<T, Fixed>;
  using Nested = tauflex::JetOf<T, Fixed>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 8,
    AddCost = 8,
    MulCost = 64
  };
};
