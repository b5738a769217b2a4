// Vectors and symmetric matrices of size 3 over doubles or lanes of them, for loops that are
// compiled for several processors: nothing but arithmetic, all of it inlined.
#pragma once

namespace tauflex {

template <class S>
struct Xyz {
  S x, y, z;

  [[gnu::always_inline]] friend Xyz operator+(const Xyz& a, const Xyz& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  [[gnu::always_inline]] friend Xyz operator-(const Xyz& a, const Xyz& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  [[gnu::always_inline]] friend Xyz operator*(const Xyz& a, const S& s) {
    return {a.x * s, a.y * s, a.z * s};
  }
  [[gnu::always_inline]] friend S dot(const Xyz& a, const Xyz& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  [[gnu::always_inline]] friend Xyz cross(const Xyz& a, const Xyz& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

template <class S>
[[gnu::always_inline]] inline Xyz<S> xyz(const double* a) {
  return {S(a[0]), S(a[1]), S(a[2])};
}

template <class S>
struct Symmetric3 {
  S xx, xy, xz, yy, yz, zz;

  [[gnu::always_inline]] Xyz<S> row_x() const { return {xx, xy, xz}; }
  [[gnu::always_inline]] Xyz<S> row_y() const { return {xy, yy, yz}; }
  [[gnu::always_inline]] Xyz<S> row_z() const { return {xz, yz, zz}; }
  [[gnu::always_inline]] friend Xyz<S> operator*(const Symmetric3& m, const Xyz<S>& a) {
    return {dot(m.row_x(), a), dot(m.row_y(), a), dot(m.row_z(), a)};
  }
};

}  // namespace tauflex
