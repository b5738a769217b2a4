// Closed forms, the minimum property, size, corners and error messages of the spline.
#include "tauflex/trajectory/spline.hpp"

#include <numbers>

#include "tauflex/math/jet.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/smoothness.hpp"
#include "tests/trajectory/path_laws.hpp"

namespace tauflex {
namespace {

const Vector uneven{{0, 0.2, 0.3, 0.45, 0.9, 1.0}};

Matrix column(const Vector& values) { return values; }

TEST(InterpolatingSpline, IsTheBrokenLineForSmoothness0) {
  const InterpolatingSpline path(Vector{{2, 3, 5}}, column(Vector{{1, 4, 0}}), 0);
  EXPECT_EQ(derivatives(path, 0.5, 2), (Matrix(1, 3) << 2.5, 3, 0).finished());
  EXPECT_EQ(derivatives(path, 1.0, 2), (Matrix(1, 3) << 4, -2, 0).finished());
  EXPECT_EQ(derivatives(path, 2.5, 2), (Matrix(1, 3) << 1, -2, 0).finished());
}

// closed form: 3 t^2 - 2 t^3 up to the middle, and its mirror image
TEST(InterpolatingSpline, IsTheClampedCubicForSmoothness1) {
  const InterpolatingSpline path(Vector{{0, 1, 2}}, column(Vector{{0, 1, 0}}), 1);
  for (const double t : {0.0, 0.25, 0.75}) {
    const Matrix y = derivatives(path, t, 4);
    const Matrix exact =
        (Matrix(1, 5) << 3 * t * t - 2 * t * t * t, 6 * t - 6 * t * t, 6 - 12 * t, -12, 0)
            .finished();
    EXPECT_LT((y - exact).norm(), 1e-14) << t;  // rounding of 12
  }
  EXPECT_NEAR(derivatives(path, 1, 3)(0, 3), 12, 1e-14);  // rounding of 12
}

TEST(InterpolatingSpline, PassesThroughItsPoints) {
  Matrix points(6, 2);
  points << 1, 0, 1.2, 5, 1.1, 5, 0.4, 6, 0.7, 7, 1.0, 6;
  for (int m = 0; m <= 6; ++m) {
    const InterpolatingSpline path(uneven, points, m);
    for (int i = 0; i < 6; ++i)
      EXPECT_LT((derivatives(path, uneven[i]).col(0) - points.row(i).transpose()).norm(),
                1e-11)  // rounding times the condition of the collocation, 1e3 at m = 6
          << "m = " << m << ", point " << i;
  }
}

// How much y^(k) may change when each point changes by 1.
Vector sensitivity(const Vector& times, int m) {
  Vector sum = Vector::Zero(16);
  for (int i = 0; i < times.size(); ++i)
    sum += magnitudes(InterpolatingSpline(times, column(Vector::Unit(times.size(), i)), m));
  return sum;
}

// closed form: the rest-to-rest polynomial of its degree is such a spline, for any times
TEST(InterpolatingSpline, ReproducesTheRestToRestPolynomial) {
  for (int m = 0; m <= 6; ++m) {
    const LinePath exact(Vector{{3, -1}}, Vector{{5, -2}}, 1, 2 * m + 1);
    Matrix points(uneven.size(), 2);
    for (int i = 0; i < uneven.size(); ++i)
      points.row(i) = derivatives(exact, uneven[i]).col(0).transpose();
    const Vector largest = magnitudes(exact), change = sensitivity(uneven, m);
    for (const bool ends_only : {true, false}) {
      const InterpolatingSpline path =
          ends_only ? InterpolatingSpline(Vector{{0, 1}}, points({0, 5}, Eigen::all), m)
                    : InterpolatingSpline(uneven, points, m);
      for (int i = 0; i <= 50; ++i) {
        const Matrix difference = derivatives(path, i / 50.0) - derivatives(exact, i / 50.0);
        for (int k = 0; k <= 15; ++k)
          EXPECT_LE(difference.col(k).norm(),
                    1e-15 * change[k] + 1e-12 * largest[k])  // points near 5 are rounded to 4e-16
              << "m = " << m << ", t = " << i / 50.0 << ", derivative " << k;
      }
      EXPECT_EQ(described(path.corners()), described(exact.corners())) << "m = " << m;
    }
  }
}

// law: y^(m+1) is orthogonal to g^(m+1) for every g that is zero at the points and rests at the
// ends, so y + g has more of it. Together with the points this fixes the spline.
TEST(InterpolatingSpline, MinimisesTheSquareOfItsNextDerivative) {
  constexpr double node[] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                             -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                             0.7966664774136267,  0.9602898564975363};
  constexpr double weight[] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                               0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                               0.2223810344533745, 0.1012285362903763};
  const Vector values{{1, 1.2, 1.1, 0.4, 0.7, 1.0}};
  for (int m = 0; m <= 6; ++m) {
    const InterpolatingSpline path(uneven, column(values), m);
    for (int tilt = 0; tilt <= 1; ++tilt) {
      const auto g = [&](const Jet& t) {
        Jet product = tilt == 0 ? Jet(1) : t;
        for (int i = 1; i < 5; ++i) product *= (t - uneven[i]) * 3;
        for (int i = 0; i <= m; ++i) product *= t * (1 - t) * 4;
        return product;
      };
      double yg = 0, yy = 0, gg = 0;
      for (int i = 1; i < uneven.size(); ++i)
        for (int part = 0; part < 4; ++part)
          for (int p = 0; p < 8; ++p) {
            const double half = (uneven[i] - uneven[i - 1]) / 8;
            const double t = uneven[i - 1] + half * (2 * part + 1 + node[p]);
            const double a = derivatives(path, t)(0, m + 1);
            const double b = g(Jet::time(t, m + 1)).derivative(m + 1);
            yg += half * weight[p] * a * b;
            yy += half * weight[p] * a * a;
            gg += half * weight[p] * b * b;
          }
      ASSERT_GT(yy, 0);
      EXPECT_LT(std::abs(yg), 1e-9 * std::sqrt(yy * gg)) << m;  // 8-point Gauss on 20 parts
    }
  }
}

TEST(InterpolatingSpline, IsContinuousAtItsPointsUpToOrder2m) {
  const Vector values{{1, 1.2, 1.1, 0.4, 0.7, 1.0}};
  for (int m = 0; m <= 6; ++m) {
    const InterpolatingSpline path(uneven, column(values), m);
    const Vector largest = magnitudes(path);
    for (int i = 1; i < 5; ++i) {
      const Matrix jump =
          (derivatives(path, uneven[i]) - derivatives(path, just_before(uneven[i]))).cwiseAbs();
      for (int k = 0; k <= 2 * m; ++k)
        EXPECT_LT(jump(0, k), 1e-12 * largest[k]) << "m = " << m << ", k = " << k;  // rounding
      EXPECT_GT(jump(0, 2 * m + 1), 1e-3 * largest[2 * m + 1]) << m;                // a corner
    }
    for (int k = 1; k <= m; ++k) EXPECT_EQ(derivatives(path, 0)(0, k), 0) << m;
    const Matrix end = derivatives(path, 1 - 1e-9);
    for (int k = 1; k <= m; ++k)  // y^(k) = O(1e-9)
      EXPECT_LT(std::abs(end(0, k)), 1e-8 * largest[k + 1]) << "m = " << m << ", k = " << k;
  }
}

// order: halving the steps of samples of a smooth function divides the error by 2^(2m+2)
TEST(InterpolatingSpline, ConvergesWithItsOrder) {
  const auto f = [](double t) { return std::pow(std::sin(std::numbers::pi * t), 8); };  // C^7 rest
  const auto error = [&](int m, int steps) {
    const Vector times = Vector::LinSpaced(steps + 1, 0, 1);
    const InterpolatingSpline path(times, column(times.unaryExpr(f)), m);
    double largest = 0;
    for (int i = 0; i < 1000; ++i)
      largest = std::max(largest, std::abs(derivatives(path, i / 1000.0)(0, 0) - f(i / 1000.0)));
    return largest;
  };
  for (int m = 0; m <= 3; ++m) {
    const double order = std::log2(error(m, 64) / error(m, 128));
    EXPECT_NEAR(order, 2 * m + 2, 0.25) << m;  // measured at the steps where rounding is far away
  }
}

TEST(InterpolatingSpline, TakesTenThousandSamples) {
  const double T = 10;
  const LinePath exact(Vector{{100, 0}}, Vector{{101, 2}}, T, 11);
  const Vector times = Vector::LinSpaced(10'000, 0, T);
  Matrix points(times.size(), 2);
  for (int i = 0; i < times.size(); ++i)
    points.row(i) = derivatives(exact, times[i], 0).col(0).transpose();
  const InterpolatingSpline path(times.array() + 1000, points, 4);
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.00987 * i;
    const Matrix difference = (derivatives(path, t, 3) - derivatives(exact, t, 3)).cwiseAbs();
    // rounding of the points, 1e-14 near 100, and of the times, 1e-13 near 1000 s, over steps of 1
    // ms
    EXPECT_LT(difference.col(0).maxCoeff(), 1e-12) << t;
    EXPECT_LT(difference.col(1).maxCoeff(), 1e-9) << t;
    EXPECT_LT(difference.col(2).maxCoeff(), 1e-6) << t;
  }
}

TEST(InterpolatingSpline, ItsCornersAreTheEndsAndThePointsBetween) {
  Matrix points(4, 2);
  points << 1, 0, 1, 5, 1, 4, 1, 6;
  const Vector times{{0, 1, 2, 4}};
  EXPECT_EQ(described(InterpolatingSpline(times, points, 3).corners()),
            "t=0 k=4 output=1; t=1 k=7 output=1; t=2 k=7 output=1; t=4 k=4 output=1; ");
  points.col(1).setConstant(7);
  EXPECT_EQ(described(InterpolatingSpline(times, points, 3).corners()), "");
}

TEST(InterpolatingSpline, SaysWhatIsWrong) {
  const Vector times{{0, 1, 1.5}}, one{{0}};
  const Matrix points = Matrix::Random(3, 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto make = [](const Vector& t, const Matrix& y, int m) {
    return refusal([&] { InterpolatingSpline(t, y, m); });
  };
  EXPECT_EQ(make(times, points, -1), "smoothness must be 0 to 6, got -1");
  EXPECT_EQ(make(times, points, 7), "smoothness must be 0 to 6, got 7");
  EXPECT_EQ(make(one, points.topRows(1), 3), "a spline needs at least 2 points, got 1");
  EXPECT_EQ(make(times, points.topRows(2), 3), "a spline of 3 times and 2 points");
  EXPECT_EQ(make(times * nan, points, 3), "times and points of a spline must be finite");
  EXPECT_EQ(make(times, points * nan, 3), "times and points of a spline must be finite");
  EXPECT_EQ(make(Vector{{0, 1, 1}}, points, 3), "times must increase, but 1 follows 1");
  EXPECT_EQ(make(Vector{{0, 1, 0.5}}, points, 3), "times must increase, but 0.5 follows 1");
  const Vector jerky{{0, 1e-8, 1, 1 + 1e-8, 2, 3}};
  EXPECT_EQ(make(jerky, column(Vector{{0, 1, 2, 1, 0, 3}}), 4).substr(0, 65),
            "the times are too unequal for smoothness 4: the spline misses the");
}

TEST(FirstCorner, IsTheFirstThatIsNotSmoothEnough) {
  const InterpolatingSpline path(Vector{{0, 1, 2}}, column(Vector{{0, 1, 3}}), 2);
  EXPECT_FALSE(first_corner(path, 2));
  ASSERT_TRUE(first_corner(path, 3));
  EXPECT_EQ(described({*first_corner(path, 3)}), "t=0 k=3 output=0; ");
  EXPECT_EQ(described({*first_corner(path, 9)}), "t=0 k=3 output=0; ");
  const LinePath still(Vector{{1}}, Vector{{1}}, 1, 1);
  EXPECT_FALSE(first_corner(still, 15));
}

}  // namespace
}  // namespace tauflex
