// Rotations and poses. R_AB takes coordinates from B to A; X_AB = (R_AB, p_AB).
#pragma once

#include <Eigen/Geometry>

#include "tauflex/math/three.hpp"

namespace tauflex {

struct Pose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  Pose inverse() const;
};
Pose operator*(const Pose& X_AB, const Pose& X_BC);

// [a] b = a x b
template <class S>
Matrix3Of<S> skew(const Vector3Of<S>& a) {
  Matrix3Of<S> m = Matrix3Of<S>::Zero();
  m(0, 1) = -a[2];
  m(0, 2) = a[1];
  m(1, 0) = a[2];
  m(1, 2) = -a[0];
  m(2, 0) = -a[1];
  m(2, 1) = a[0];
  return m;
}

// As in URDF: about the fixed axes x, then y, then z.
Matrix3 rotation_from_rpy(const Vector3& rpy);
// Back, the pitch within a quarter of a turn; where it is a quarter, the roll is 0.
Vector3 rpy_of(const Matrix3& R);

// A rotation whose third column is the unit vector `axis`; a signed permutation, hence exact, when
// that is a coordinate axis.
Matrix3 rotation_with_z_along(const Vector3& axis);

// The shortest rotation that takes the x axis to the unit vector `axis`; where that is the opposite
// one, half a turn about z.
Matrix3 rotation_with_x_along(const Vector3& axis);

}  // namespace tauflex
