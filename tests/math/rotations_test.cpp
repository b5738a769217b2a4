// Laws and closed forms of rotations and poses.
#include "tauflex/math/rotations.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>

#include "math/random.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-15;  // entries of size 1, a few products each
constexpr double pi = std::numbers::pi;

void expect_rotation(const Matrix3& R) {
  EXPECT_LT((R * R.transpose() - Matrix3::Identity()).norm(), 4 * rounding);
  EXPECT_NEAR(R.determinant(), 1, 4 * rounding);
}

TEST(Rotations, SkewIsTheCrossProduct) {
  Random random(1);
  const Vector3 a = random.vector3(1), b = random.vector3(1);
  EXPECT_EQ(skew<double>(a) * b, a.cross(b));
  EXPECT_EQ(skew<double>(a), -skew<double>(a).transpose());
}

TEST(Rotations, RpyTurnsAboutFixedAxesXThenYThenZ) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3 rpy = random.vector3(pi);
    const Matrix3 R = rotation_from_rpy(rpy);
    expect_rotation(R);
    const Matrix3 expected =
        (Eigen::AngleAxisd(rpy[2], Vector3::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3::UnitY()) *
         Eigen::AngleAxisd(rpy[0], Vector3::UnitX()))
            .toRotationMatrix();
    EXPECT_LT((R - expected).norm(), 4 * rounding);
  }
  EXPECT_EQ(rotation_from_rpy(Vector3::Zero()), Matrix3::Identity());
}

TEST(Rotations, WithXAlongAnAxisIsTheShortestRotationToIt) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Vector3 axis = random.direction();
    if (trial % 2) axis = Vector3(-1, 1e-9 * axis[1], axis[2] * 1e-9).normalized();  // all but back
    const Matrix3 R = rotation_with_x_along(axis);
    expect_rotation(R);
    EXPECT_EQ(R.col(0), axis);
    // its axis is across both directions, hence its angle is that between them
    EXPECT_NEAR(R(2, 1) - R(1, 2), 0, rounding);
    EXPECT_NEAR(R.trace(), 1 + 2 * axis[0], 4 * rounding);
  }
  EXPECT_EQ(rotation_with_x_along(Vector3::UnitX()), Matrix3::Identity());
  EXPECT_EQ(rotation_with_x_along(-Vector3::UnitX()), Matrix3(Vector3(-1, -1, 1).asDiagonal()));
}

TEST(Rotations, WithZAlongAnAxisIsARotationToIt) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3 axis = random.direction();
    const Matrix3 R = rotation_with_z_along(axis);
    expect_rotation(R);
    EXPECT_EQ(R.col(2), axis);
  }
}

TEST(Rotations, WithZAlongACoordinateAxisIsExact) {
  for (int k = 0; k < 3; ++k)
    for (const double sign : {1.0, -1.0}) {
      const Matrix3 R = rotation_with_z_along(sign * Vector3::Unit(k));
      EXPECT_EQ(R.cwiseAbs().sum(), 3);
      EXPECT_EQ(R.determinant(), 1);
      EXPECT_EQ(R.col(2), sign * Vector3::Unit(k));
    }
}

TEST(Poses, ComposeAndInvert) {
  Random random(4);
  const Pose X_AB = {random.rotation(), random.vector3(1)};
  const Pose X_BC = {random.rotation(), random.vector3(1)};
  const Vector3 p_C = random.vector3(1);
  const Pose X_AC = X_AB * X_BC;
  const Vector3 p_A = X_AB.R * (X_BC.R * p_C + X_BC.p) + X_AB.p;
  EXPECT_LT((X_AC.R * p_C + X_AC.p - p_A).norm(), 4 * rounding);
  const Pose identity = X_AB * X_AB.inverse();
  EXPECT_LT((identity.R - Matrix3::Identity()).norm(), 4 * rounding);
  EXPECT_LT(identity.p.norm(), 4 * rounding);
}

}  // namespace
}  // namespace tauflex
