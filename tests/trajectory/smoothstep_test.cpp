// Closed forms of the rest-to-rest polynomial: exact rational values, symmetry, ends.
#include "tauflex/trajectory/smoothstep.hpp"

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"

namespace tauflex {
namespace {

struct Exact {
  double x;
  std::array<double, 12> derivatives;  // of 462 x^6 - 1980 x^7 + 3465 x^8 - 3080 x^9 + 1386 x^10
};                                     // - 252 x^11, by rational arithmetic

constexpr Exact degree11[] = {
    {1.0 / 1024,
     {3.9904686140899040126e-16, 2.4500324025552730122e-12, 1.2531903764327295967e-08,
      5.1255388346950388658e-05, 0.15707142268277946273, 320.10693997315410236,
      322961.13255241105378, -9843297.7914747811155, 290706626600775.0 / 2097152,
      -2278939768875.0 / 2048, 5019693525, -10059033600}},
    {3.0 / 8,
     {417343023.0 / 2147483648, 526246875.0 / 268435456, 175415625.0 / 16777216,
      -81860625.0 / 2097152, -30405375.0 / 32768, 8264025.0 / 4096, 28929285.0 / 256,
      -8264025.0 / 32, -14189175, 61122600, 1257379200, -10059033600}},
    {15.0 / 16,
     {4397954484375.0 / 4398046511104, 526246875.0 / 274877906944, -1227909375.0 / 8589934592,
      4408779375.0 / 536870912, -1358886375.0 / 4194304, 1654832025.0 / 262144, 496039005.0 / 8192,
      -1654832025.0 / 512, -634146975.0 / 8, -822972150, -4400827200, -10059033600}},
    {1023.0 / 1024,
     {1 - 3.9904686140899040126e-16, 2.4500324025552730122e-12, -1.2531903764327295967e-08,
      5.1255388346950388658e-05, -0.15707142268277946273, 320.10693997315410236,
      -322961.13255241105378, -9843297.7914747811155, -290706626600775.0 / 2097152,
      -2278939768875.0 / 2048, -5019693525, -10059033600}},
};

TEST(Smoothstep, HasTheExactDerivativesOfDegree11) {
  const Smoothstep s(11);
  EXPECT_EQ(s.smoothness(), 5);
  for (const auto& [x, exact] : degree11) {
    const Jet y = s(x, 15);
    for (int k = 0; k <= 11; ++k)
      EXPECT_NEAR(y.derivative(k), exact[k], 1e-13 * std::abs(exact[k]))  // some 100 roundings
          << "x = " << x << ", derivative " << k;
    for (int k = 12; k <= 15; ++k) EXPECT_EQ(y.derivative(k), 0) << "x = " << x;
  }
}

TEST(Smoothstep, KeepsItsDigitsNearTheEnd) {
  // 1 - s(1 - x) by the second half is s(x) by the first: all digits, where the monomials keep none
  const Smoothstep s(11);
  const double duration = 0.3;
  for (const double t : {1e-3, 1e-4, 1e-6, 1e-9}) {
    const double before_end = duration - t, t_exact = duration - before_end;
    const auto [first_is_late, start] = s.progress(t_exact, duration, 15);
    const auto [second_is_late, end] = s.progress(before_end, duration, 15);
    EXPECT_FALSE(first_is_late);
    EXPECT_TRUE(second_is_late);
    for (int k = 0; k <= 15; ++k) {
      const double mirrored = k % 2 == 0 ? start.derivative(k) : -start.derivative(k);
      EXPECT_EQ(end.derivative(k), mirrored) << "t = " << t << ", derivative " << k;
    }
  }
}

TEST(Smoothstep, ProgressIsTheSameFunctionOfTime) {
  const Smoothstep s(7);
  for (const double t : {-1.0, 0.0, 0.75, 2.0, 3.5, 4.0, 9.0}) {
    const auto [second_half, part] = s.progress(t, 4, 9);
    const Jet y = second_half ? 1 - part : part;
    for (int k = 0; k <= 9; ++k)  // exact: powers of 2
      EXPECT_EQ(y.derivative(k), s(t / 4, 9).derivative(k) * std::pow(0.25, k)) << t;
  }
}

// law: s + mirrored s = 1, s(1/2) = 1/2, monotone, C^m but not C^(m+1) at the ends
TEST(Smoothstep, EveryOddDegreeRestsAtBothEnds) {
  for (int degree = 1; degree <= 31; degree += 2) {
    const Smoothstep s(degree);
    const int m = (degree - 1) / 2;
    ASSERT_EQ(s.smoothness(), m);
    ASSERT_EQ(s.degree(), degree);
    const Jet start = s(0, 15);
    double jump = 1;  // s^(m+1)(0) = (m+1)! C(2m+1, m) = (2m+1)! / m!
    for (int i = m + 1; i <= degree; ++i) jump *= i;
    for (int k = 0; k <= std::min(m, 15); ++k) EXPECT_EQ(start.derivative(k), 0) << degree;
    if (m < 15) {
      EXPECT_NEAR(start.derivative(m + 1), jump, 1e-14 * jump) << degree;  // 30 factors
    }
    EXPECT_NEAR(s(0.5, 0)[0], 0.5, 1e-15) << degree;  // one rounding
    double last = 0;
    for (int i = 1; i < 64; ++i) {
      const double x = i / 64.0, value = s(x, 0)[0];
      EXPECT_EQ(value + s(1 - x, 0)[0], 1) << degree;  // exact: one is 1 minus the other
      EXPECT_GE(value, last) << degree;
      last = value;
    }
    EXPECT_EQ(s(0.0, 0)[0], 0);
    EXPECT_EQ(s(-1.0, 0)[0], 0);
    EXPECT_EQ(s(1.0, 0)[0], 1);
    EXPECT_EQ(s(2.0, 0)[0], 1);
  }
}

TEST(Smoothstep, RefusesOtherDegrees) {
  for (const int degree : {-1, 0, 2, 10, 32, 33}) {
    try {
      Smoothstep s(degree);
      ADD_FAILURE() << degree;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "the degree of a rest-to-rest polynomial must be odd, 1 to 31, got " +
                    std::to_string(degree));
    }
  }
}

}  // namespace
}  // namespace tauflex
