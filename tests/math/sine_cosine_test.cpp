// Sine and cosine against long double, and the same bits for angles alone and together.
#include "tauflex/math/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random.hpp"
#include "tauflex/math/dual.hpp"

namespace tauflex {
namespace {

// In units of the last place of the exact value.
double error_in_ulp(double value, long double exact) {
  const double size = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(size, std::numeric_limits<double>::infinity()) - size;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / ulp);
}

double worst_error(double x) {
  double s, c;
  sin_cos(x, s, c);
  const long double exact = x;
  return std::max(error_in_ulp(s, std::sin(exact)), error_in_ulp(c, std::cos(exact)));
}

// Half an ulp is the last rounding; the terms beyond the first are 0.3 of it at pi/4 and bring 0.3
// more. Measured: 0.80.
constexpr double bound = 0.85;

TEST(SineCosine, IsWithinAnUlp) {
  ASSERT_GT(std::numeric_limits<long double>::digits, 60) << "needs a reference that is finer";
  Random random(1);
  for (const double size : {0.8, 3.2, 100.0, 12000.0})
    for (int i = 0; i < 20000; ++i) {
      const double x = random.uniform(-size, size);
      ASSERT_LT(worst_error(x), bound) << "x = " << x;
    }
}

// Close to multiples of pi/2 almost all digits of the angle cancel.
TEST(SineCosine, IsWithinAnUlpWhereItVanishes) {
  constexpr long double quarter = 1.5707963267948966192313216916397514L;
  for (int n = 1; n < 8190; ++n) {
    double x = static_cast<double>(n * quarter);
    for (int k = 0; k < 3; ++k) {
      ASSERT_LT(worst_error(x), bound) << n << " quarter turns";
      ASSERT_LT(worst_error(-x), bound) << n << " quarter turns back";
      x = std::nextafter(x, 1e9);
    }
  }
}

TEST(SineCosine, OfLargeAnglesIsTheLibrarys) {
  for (const double x : {12868.0, -1e5, 1e15, 1e300}) {
    double s, c;
    sin_cos(x, s, c);
    EXPECT_EQ(s, std::sin(x)) << x;
    EXPECT_EQ(c, std::cos(x)) << x;
  }
  double s, c;
  for (const double x : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    sin_cos(x, s, c);
    EXPECT_TRUE(std::isnan(s) && std::isnan(c)) << x;
  }
}

TEST(SineCosine, KeepsSmallAngles) {
  for (const double x : {0.0, -0.0, 5e-324, -1e-300, 1e-9}) {
    double s, c;
    sin_cos(x, s, c);
    EXPECT_EQ(s, x);
    EXPECT_EQ(c, 1);
  }
}

TEST(SineCosine, TogetherHasTheSameBits) {
  Random random(2);
  for (int count = 0; count < 12; ++count)
    for (int repeat = 0; repeat < 200; ++repeat) {
      Vector x = random.vector(count, repeat % 2 == 0 ? 4 : 20000), s(count), c(count);
      sin_cos(x.data(), count, s.data(), c.data());
      for (int i = 0; i < count; ++i) {
        double sine, cosine;
        sin_cos(x[i], sine, cosine);
        EXPECT_EQ(s[i], sine) << x[i];
        EXPECT_EQ(c[i], cosine) << x[i];
        EXPECT_EQ(sin(Dual(x[i], 1)).value, sine);
        EXPECT_EQ(cos(Dual(x[i], 1)).value, cosine);
      }
    }
}

}  // namespace
}  // namespace tauflex
