// Spatial vectors in world axes at the world origin: no change of frame is ever needed, which
// keeps every recursion short. [Featherstone2008], with the rows ordered angular, linear.
//   motion  V = (w, v)      v: velocity of the body point that is at the origin now
//   force   F = (n, f)      n: moment about the origin
#pragma once

#include "tauflex/math/rotations.hpp"

namespace tauflex {

template <class S>
struct Force {
  Vector3Of<S> n, f;

  static Force zero() { return {Vector3Of<S>::Zero(), Vector3Of<S>::Zero()}; }
  Force& operator+=(const Force& b) {
    n += b.n;
    f += b.f;
    return *this;
  }
  friend Force operator+(Force a, const Force& b) { return a += b; }
};

template <class S>
struct Motion {
  Vector3Of<S> w, v;

  static Motion zero() { return {Vector3Of<S>::Zero(), Vector3Of<S>::Zero()}; }
  Motion& operator+=(const Motion& b) {
    w += b.w;
    v += b.v;
    return *this;
  }
  friend Motion operator+(Motion a, const Motion& b) { return a += b; }
  friend Motion operator*(const Motion& a, const S& s) { return {a.w * s, a.v * s}; }
};

template <class S>
S dot(const Motion<S>& a, const Force<S>& b) {
  return a.w.dot(b.n) + a.v.dot(b.f);
}

// a x b, the rate of change of a motion b carried along by a. GCC would not inline it by itself,
// which costs RNEA a fifth of its time.
template <class S>
[[gnu::always_inline]] inline Motion<S> cross(const Motion<S>& a, const Motion<S>& b) {
  return {a.w.cross(b.w), a.w.cross(b.v) + a.v.cross(b.w)};
}

// a x* b, the rate of change of a force b carried along by a
template <class S>
Force<S> cross(const Motion<S>& a, const Force<S>& b) {
  return {a.w.cross(b.n) + a.v.cross(b.f), a.w.cross(b.f)};
}

// Inertia of a rigid body, or of several moving as one, about the world origin.
//   I V = (J w + mc x v, m v - mc x w)
template <class S>
struct BodyInertia {
  S m;  // kg
  // m times centre of mass, kg m
  Vector3Of<S> mc;
  // kg m^2, about the origin
  Matrix3Of<S> J;

  BodyInertia& operator+=(const BodyInertia& b) {
    m += b.m;
    mc += b.mc;
    J += b.J;
    return *this;
  }
  friend Force<S> operator*(const BodyInertia& I, const Motion<S>& V) {
    return {I.J * V.w + I.mc.cross(V.v), V.v * I.m - I.mc.cross(V.w)};
  }
};

}  // namespace tauflex
