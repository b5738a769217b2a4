// Closed forms, corners and error messages of an arc.
#include "tauflex/trajectory/circle.hpp"

#include <Eigen/Geometry>
#include <numbers>

#include "tauflex/trajectory/line.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

constexpr double pi = std::numbers::pi;

TEST(CirclePath, TurnsFromTheFirstOutputTowardsTheSecond) {
  const CirclePath path(Vector{{3, 1}}, Vector{{1, 1}}, pi / 2, 2, 11);
  const Matrix end = derivatives(path, 2), middle = derivatives(path, 1);
  EXPECT_LT((end.col(0) - Vector{{1, 3}}).norm(), 1e-15);  // rounding of one sine
  const double r = std::sqrt(2.0);
  EXPECT_LT((middle.col(0) - Vector{{1 + r, 1 + r}}).norm(), 1e-15);  // rounding of one sine
}

// closed form: uniform turning, y^(k) = rate^k radius (cos, sin)(phi + k pi/2)
TEST(CirclePath, HasTheDerivativesOfUniformTurningForDegree1) {
  const double angle = -5, T = 0.8, rate = angle / T, radius = 2;
  const CirclePath path(Vector{{1 + radius, 7}}, Vector{{1, 7}}, angle, T, 1);
  for (const double t : {0.0, 0.1, 0.39, 0.41, 0.79}) {
    const Matrix y = derivatives(path, t);
    for (int k = 0; k <= 15; ++k) {
      const double phi = rate * t + k * pi / 2, size = radius * std::pow(rate, k);
      const Vector center = k == 0 ? Vector{{1, 7}} : Vector{{0, 0}};
      const Vector exact = center + size * Vector{{std::cos(phi), std::sin(phi)}};
      EXPECT_LT((y.col(k) - exact).norm(), 1e-13 * std::abs(size) + 1e-14)  // roundings of phi
          << "t = " << t << ", derivative " << k;
    }
  }
}

// law: distance from the center and from the plane stay, the angle is the smoothstep
TEST(CirclePath, StaysOnItsCircleInSpace) {
  const Vector3 normal(1, 2, -2), center(0.3, -1, 5);
  const Vector3 radius = 1.7 * normal.cross(Vector3::UnitX()).normalized();
  const CirclePath path(center + radius, center, 4, 1.5, 9, normal);
  const LinePath angle(Vector{{0}}, Vector{{4}}, 1.5, 9);
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.075 * i;
    const Matrix3 R =
        Eigen::AngleAxisd(derivatives(angle, t)(0, 0), normal.normalized()).toRotationMatrix();
    const Vector3 y = derivatives(path, t).col(0);
    EXPECT_LT((y - center - R * radius).norm(), 1e-14) << t;  // some roundings of numbers near 5
  }
}

TEST(CirclePath, IsSmoothAtItsEnds) {
  const CirclePath path(Vector{{3, 1}}, Vector{{1, 1}}, 2, 1, 11);
  for (const double t : {1e-6, 1 - 1e-6}) {
    const Matrix y = derivatives(path, t);
    double factor = 462 * 2 * 2;  // angle times radius times s = 462 x^6
    for (int k = 1; k <= 6; ++k) {
      factor *= 7 - k;
      const double expected = factor * std::pow(1e-6, 6 - k);
      EXPECT_NEAR(y.col(k).norm(), expected, 2e-4 * expected) << k;  // next term: 30 x 1e-6
    }
  }
}

TEST(CirclePath, ItsCornersAreAlongTheTangents) {
  EXPECT_EQ(described(CirclePath(Vector{{3, 1}}, Vector{{1, 1}}, pi / 2, 2, 7).corners()),
            "t=0 k=4 output=1; t=2 k=4 output=0; ");
  EXPECT_EQ(described(CirclePath(Vector{{3, 1}}, Vector{{1, 1}}, 0, 2, 7).corners()), "");
}

TEST(CirclePath, SaysWhatIsWrong) {
  const Vector a{{0, 1}}, b{{1, 1}}, c{{1, 1, 1}}, d{{1, 2, 3}}, four{{1, 2, 3, 4}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([&] { CirclePath(a, c, 1, 1, 11); }), "a circle from 2 outputs about 3");
  EXPECT_EQ(refusal([&] { CirclePath(four, 2 * four, 1, 1, 11); }),
            "a circle needs 2 or 3 outputs, got 4");
  EXPECT_EQ(refusal([&] { CirclePath(a, b, 1, 1, 11, Vector3::UnitX()); }),
            "a circle in two outputs turns in their plane: leave out 'normal'");
  EXPECT_EQ(refusal([&] { CirclePath(c, d, 1, 1, 11); }),
            "a circle in three outputs needs its axis 'normal'");
  EXPECT_EQ(refusal([&] { CirclePath(c, d, 1, 1, 11, Vector3::Zero()); }),
            "'normal' must be a direction, not zero");
  EXPECT_EQ(refusal([&] { CirclePath(c, d, 1, 1, 11, Vector3(0, 0, 3)); }),
            "from - center must be perpendicular to normal, but reaches -2 along it");
  EXPECT_EQ(refusal([&] { CirclePath(a, a, 1, 1, 11); }),
            "from and center are the same point: a circle of radius 0");
  EXPECT_EQ(refusal([&] { CirclePath(a, b, nan, 1, 11); }),
            "from, center and angle of a circle must be finite");
  EXPECT_EQ(refusal([&] { CirclePath(a, b, 1, -1, 11); }),
            "duration must be greater than 0, got -1");
}

}  // namespace
}  // namespace tauflex
