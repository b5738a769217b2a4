// Rotations and poses over any scalar. R_AB takes coordinates from B to A; X_AB = (R_AB, p_AB).
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

struct Pose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  friend Pose operator*(const Pose& X_AB, const Pose& X_BC) {
    return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
  }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

// [a] b = a x b
template <class S>
Matrix3Of<S> skew(const Vector3Of<S>& a) {
  Matrix3Of<S> m;
  m << S(0), -a[2], a[1],  //
      a[2], S(0), -a[0],   //
      -a[1], a[0], S(0);
  return m;
}

// As in URDF: about the fixed axes x, then y, then z.
inline Matrix3 rotation_from_rpy(const Vector3& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]);
  const double cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
  const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

// A rotation whose third column is the unit vector `axis`; a signed permutation, hence exact, when
// that is a coordinate axis.
inline Matrix3 rotation_with_z_along(const Vector3& axis) {
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  Vector3 helper = Vector3::Zero();
  helper[smallest] = 1;
  Matrix3 R;
  R.col(0) = (helper - axis * axis[smallest]).normalized();
  R.col(1) = axis.cross(Vector3(R.col(0)));
  R.col(2) = axis;
  return R;
}

}  // namespace tauflex
