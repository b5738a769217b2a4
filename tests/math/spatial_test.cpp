// Laws of spatial vectors: what carries a motion and a force along keeps their power.
#include "tauflex/math/spatial.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-14;  // sums of a dozen products of size 1

Motion<double> motion(Random& random) { return {random.vector3(1), random.vector3(1)}; }
Force<double> force(Random& random) { return {random.vector3(1), random.vector3(1)}; }

TEST(Spatial, CarryingKeepsThePower) {
  Random random(1);
  const Motion<double> a = motion(random), b = motion(random);
  const Force<double> f = force(random);
  EXPECT_NEAR(dot(cross(a, b), f) + dot(b, cross(a, f)), 0, rounding);
}

TEST(Spatial, CrossOfMotionsIsALieBracket) {
  Random random(2);
  const Motion<double> a = motion(random), b = motion(random), c = motion(random);
  const Motion<double> ab = cross(a, b), ba = cross(b, a);
  EXPECT_LT((ab.w + ba.w).norm() + (ab.v + ba.v).norm(), rounding);
  const Motion<double> jacobi =
      cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));
  EXPECT_LT(jacobi.w.norm() + jacobi.v.norm(), rounding);
}

// Closed form: twice the energy of point masses.
TEST(Spatial, InertiaGivesTheEnergyOfItsPointMasses) {
  Random random(3);
  BodyInertia<double> I = {0, Vector3::Zero(), Matrix3::Zero()};
  const Motion<double> V = motion(random);
  double energy = 0;
  for (int i = 0; i < 5; ++i) {
    const double m = random.uniform(0.1, 1);
    const Vector3 c = random.vector3(1);
    const Matrix3 J = m * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
    I += {m, m * c, J};
    energy += m * (V.v + V.w.cross(c)).squaredNorm();
  }
  EXPECT_NEAR(dot(V, I * V), energy, rounding * energy);
}

}  // namespace
}  // namespace tauflex
