#include "tauflex/math/rotations.hpp"

#include <cmath>

namespace tauflex {

Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p};
}

Pose Pose::inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

Matrix3 rotation_from_rpy(const Vector3& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]);
  const double cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
  const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

Vector3 rpy_of(const Matrix3& R) {
  const double cp = std::hypot(R(0, 0), R(1, 0)), pitch = std::atan2(-R(2, 0), cp);
  if (cp < 1e-9) return {0, pitch, std::atan2(-R(0, 1), R(1, 1))};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

Matrix3 rotation_with_z_along(const Vector3& axis) {
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

Matrix3 rotation_with_x_along(const Vector3& axis) {
  const double c = axis[0], y = axis[1], z = axis[2];
  // R = 1 + [w] + [w]^2 / (1 + c) with w = x cross axis; 1 + c without cancellation
  const double across = y * y + z * z, one_plus_c = c > 0 ? 1 + c : across / (1 - c);
  Matrix3 R;
  if (across == 0) {
    R = Vector3(c, c, 1).asDiagonal();
    return R;
  }
  R << c, -y, -z,                                      //
      y, 1 - y * y / one_plus_c, -y * z / one_plus_c,  //
      z, -y * z / one_plus_c, 1 - z * z / one_plus_c;
  return R;
}

}  // namespace tauflex
