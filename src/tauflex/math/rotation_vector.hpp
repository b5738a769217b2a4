// Rotation vectors: axis times angle, and the rotation they stand for, over any scalar.
//   exp(phi) = 1 + A [phi] + B [phi]^2,   A = sin|phi| / |phi|,  B = (1 - cos|phi|) / |phi|^2
// A and B are entire functions of |phi|^2, summed as power series, so that Jets and Duals pass
// through phi = 0.
#pragma once

#include "tauflex/math/rotations.hpp"

namespace tauflex {

// Angles up to 2 pi; beyond 4 the series loses digits.
template <class S>
Matrix3Of<S> rotation_from_vector(const Vector3Of<S>& phi);

// The shortest rotation vector of a rotation, angle up to pi.
Vector3 rotation_vector(const Matrix3& R);

// The shortest turn from the z axis to the direction d, a rotation vector without z component.
Vector3 turn_to_direction(const Vector3& d);

// Half of the skew part of E as a vector: sin(angle) times the axis. A motion w of the frame, in
// the axes that E starts from, changes it by (tr(E) 1 - E) w / 2.
template <class S>
Vector3Of<S> turn_between(const Matrix3Of<S>& E) {
  return Vector3Of<S>(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1)) * 0.5;
}

}  // namespace tauflex
