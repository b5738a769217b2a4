// Rotation vectors: axis times angle, and the rotation they stand for, over any scalar.
//   exp(phi) = 1 + A [phi] + B [phi]^2,   A = sin|phi| / |phi|,  B = (1 - cos|phi|) / |phi|^2
// A and B are entire functions of |phi|^2, summed as power series, so that Jets and Duals pass
// through phi = 0.
#pragma once

#include "tauflex/math/rotations.hpp"

namespace tauflex {

// Angles up to 2 pi; beyond 4 the series loses digits.
template <class S>
Matrix3Of<S> rotation_from_vector(const Vector3Of<S>& phi) {
  const S x = phi.squaredNorm();
  S A(0), B(0);
  constexpr int terms = 20;
  for (int k = terms; k-- > 0;) {  // A = 1 - x/3! (1 - ...), B = 1/2 - x/4! (...): Horner
    A = S(1) - A * x / S((2 * k + 2) * (2 * k + 3));
    B = S(1) - B * x / S((2 * k + 3) * (2 * k + 4));
  }
  const Matrix3Of<S> W = skew<S>(phi);
  return Matrix3Of<S>::Identity() + W * A + W * W * (B * S(0.5));
}

// The shortest rotation vector of a rotation, angle up to pi.
inline Vector3 rotation_vector(const Matrix3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

// Half of the skew part of E as a vector: sin(angle) times the axis. A motion w of the frame, in
// the axes that E starts from, changes it by (tr(E) 1 - E) w / 2.
template <class S>
Vector3Of<S> turn_between(const Matrix3Of<S>& E) {
  return Vector3Of<S>(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1)) * S(0.5);
}

}  // namespace tauflex
