// Vectors and rotations as MuJoCo's files write them.
#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <string>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

inline std::string numbers(const Vector& x) {
  std::string text;
  for (const double number : x) text += fmt::format("{}{:.17g}", text.empty() ? "" : " ", number);
  return text;
}

inline std::string quaternion(const Matrix3& R) {
  const Eigen::Quaterniond r(R);
  return numbers(Eigen::Vector4d(r.w(), r.x(), r.y(), r.z()));
}

}  // namespace tauflex
