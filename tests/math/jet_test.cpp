// Closed form: known power series. Law: identities between functions of series, and that the
// slope of a Jet of Dual is the derivative of the series.
#include "tauflex/math/jet.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

namespace tauflex {
namespace {

constexpr double rounding = 1e-14;  // coefficients of size 1, sums of at most 15 products
constexpr int order = Jet::capacity - 1;

double factorial(int n) { return std::tgamma(n + 1.0); }

void expect_series(const Jet& a, const std::vector<double>& expected) {
  ASSERT_EQ(a.order() + 1, static_cast<int>(expected.size()));
  for (int k = 0; k <= a.order(); ++k)
    EXPECT_NEAR(a[k], expected[static_cast<size_t>(k)],
                rounding * std::max(1.0, std::abs(expected[static_cast<size_t>(k)])))
        << "coefficient " << k;
}

void expect_same(const Jet& a, const Jet& b) {
  ASSERT_EQ(a.order(), b.order());
  double size = 1;
  for (int k = 0; k <= b.order(); ++k) size = std::max(size, std::abs(b[k]));
  for (int k = 0; k <= a.order(); ++k)
    EXPECT_NEAR(a[k], b[k], 10 * rounding * size) << "coefficient " << k;
}

template <class F>
std::vector<double> coefficients(const F& f) {
  std::vector<double> c;
  for (int k = 0; k <= order; ++k) c.push_back(f(k));
  return c;
}

// A series without a pattern, whose coefficients fall so that products stay of size 1.
Jet some(double start, double shape) {
  Jet a = Jet::zero(order);
  a[0] = start;
  for (int k = 1; k <= order; ++k) a[k] = std::sin(shape * k) / (1 + k);
  return a;
}

const Jet t = Jet::time(0, order);

TEST(Jet, HasTheSeriesOfElementaryFunctions) {
  expect_series(exp(t), coefficients([](int k) { return 1 / factorial(k); }));
  expect_series(sin(t), coefficients([](int k) {
                  return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / factorial(k);
                }));
  expect_series(cos(t), coefficients([](int k) {
                  return k % 2 == 1 ? 0 : (k % 4 == 0 ? 1 : -1) / factorial(k);
                }));
  expect_series(log(1 + t),
                coefficients([](int k) { return k == 0 ? 0 : (k % 2 == 1 ? 1.0 : -1.0) / k; }));
  expect_series(1 / (1 - t), coefficients([](int) { return 1.0; }));
  double binomial = 1;  // of 1/2 over k
  expect_series(sqrt(1 + t),
                coefficients([&](int k) { return k == 0 ? 1 : binomial *= (0.5 - (k - 1)) / k; }));
  expect_series(tanh(Jet::time(0, 9)),
                {0, 1, 0, -1.0 / 3, 0, 2.0 / 15, 0, -17.0 / 315, 0, 62.0 / 2835});
}

TEST(Jet, MultipliesAndDividesSeries) {
  // (1 + t)^3
  const Jet a = 1 + Jet::time(0, 4);
  expect_series(a * a * a, {1, 3, 3, 1, 0});
  // (1 + 2 t) / (1 - t)^2 = sum (3 k + 1) t^k
  const Jet s = Jet::time(0, 5);
  expect_series((1 + 2 * s) / ((1 - s) * (1 - s)), {1, 4, 7, 10, 13, 16});
  Jet b = a;
  b *= b;
  expect_series(b, {1, 2, 1, 0, 0});
  b /= b;
  expect_series(b, {1, 0, 0, 0, 0});
  b -= b;
  expect_series(b, {0, 0, 0, 0, 0});
}

TEST(Jet, ObeysIdentities) {
  const Jet a = some(0.7, 1.1), b = some(1.9, 2.3);
  Jet s, c;
  sin_cos(a, s, c);
  expect_same(s * s + c * c, 1 + Jet::zero(order));
  expect_same(s, sin(a));
  expect_same(c, cos(a));
  expect_same(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b));
  expect_same(exp(a + b), exp(a) * exp(b));
  expect_same(exp(log(b)), b);
  expect_same(log(exp(a)), a);
  expect_same(sqrt(b) * sqrt(b), b);
  expect_same(a * b / b, a);
  expect_same(a * b, b * a);
  const Jet e = exp(2 * a);
  expect_same(tanh(a), (e - 1) / (e + 1));
  expect_same(abs(-b), b);
  expect_same(a - b, a + -b);
}

TEST(Jet, DifferentiatesTime) {
  const Jet a = some(0.7, 1.1);
  expect_same(sin(a).differentiated(), [&] {
    // a' cos a, to the order of the derivative
    Jet cosine = Jet::zero(order - 1);
    for (int k = 0; k < order; ++k) cosine[k] = cos(a)[k];
    return a.differentiated() * cosine;
  }());
  const Jet p = Jet::time(2, 3) * Jet::time(2, 3);  // t^2 at t = 2
  EXPECT_EQ(p.derivative(0), 4);
  EXPECT_EQ(p.derivative(1), 4);
  EXPECT_EQ(p.derivative(2), 2);
  EXPECT_EQ(p.derivative(3), 0);
  EXPECT_EQ(p.derivative(7), 0);  // beyond the order
  EXPECT_EQ(Jet(5).differentiated().coefficient(0), 0);
}

TEST(Jet, TakesNumbersAsConstants) {
  const Jet a = Jet::time(3, 2);
  expect_series(a + 1, {4, 1, 0});
  expect_series(1 - a, {-2, -1, 0});
  expect_series(2 * a, {6, 2, 0});
  expect_series(a / 2, {1.5, 0.5, 0});
  Jet sum = 0;
  sum += a;  // a constant grows to the order of what is added
  expect_series(sum, {3, 1, 0});
  EXPECT_EQ(Jet().order(), 0);
  EXPECT_EQ(Jet(2.5)[0], 2.5);
}

TEST(Jet, ComparesByValue) {
  EXPECT_TRUE(Jet::time(1, 3) < Jet::time(2, 3));
  EXPECT_TRUE(Jet::time(2, 3) >= 2);
  EXPECT_TRUE(Jet::time(2, 3) == Jet(2));
  EXPECT_EQ(leading(Jet::time(2, 3)), 2);
  EXPECT_EQ(leading(JetOfDual(Dual(2, 5))), 2);
}

// a + e b
JetOfDual along(const Jet& a, const Jet& b) {
  JetOfDual c = JetOfDual::zero(a.order());
  for (int k = 0; k <= a.order(); ++k) c[k] = Dual(a[k], b[k]);
  return c;
}

Jet value(const JetOfDual& a) {
  Jet b = Jet::zero(a.order());
  for (int k = 0; k <= a.order(); ++k) b[k] = a[k].value;
  return b;
}

Jet slope(const JetOfDual& a) {
  Jet b = Jet::zero(a.order());
  for (int k = 0; k <= a.order(); ++k) b[k] = a[k].slope;
  return b;
}

TEST(JetOfDual, HasTheDerivativeOfTheSeriesAsSlope) {
  const Jet a = some(0.7, 1.1), b = some(-0.4, 2.3), c = some(1.9, 0.6), d = some(0.3, 3.1);
  const JetOfDual A = along(a, b), C = along(c, d);
  const auto expect = [](const JetOfDual& f, const Jet& f_value, const Jet& f_slope) {
    expect_same(value(f), f_value);
    expect_same(slope(f), f_slope);
  };
  expect(A + C, a + c, b + d);
  expect(A * C, a * c, a * d + b * c);
  expect(A / C, a / c, (b * c - a * d) / (c * c));
  expect(sin(A), sin(a), cos(a) * b);
  expect(cos(A), cos(a), -sin(a) * b);
  expect(exp(A), exp(a), exp(a) * b);
  expect(log(C), log(c), d / c);
  expect(sqrt(C), sqrt(c), d / (2 * sqrt(c)));
  expect(tanh(A), tanh(a), (1 - tanh(a) * tanh(a)) * b);
}

TEST(JetOfDual, TakesNumbersAndDualsAsConstants) {
  const JetOfDual a = Dual(2, 3) * JetOfDual::time(1, 2) + 1;
  EXPECT_EQ(a[0].value, 3);
  EXPECT_EQ(a[0].slope, 3);
  EXPECT_EQ(a[1].value, 2);
  EXPECT_EQ(a[1].slope, 3);
}

TEST(Jet, IsAScalarOfEigen) {
  Eigen::Matrix<Jet, 2, 2> R;
  const Jet angle = some(std::numbers::pi / 3, 1.7);
  R << cos(angle), -sin(angle), sin(angle), cos(angle);
  const Eigen::Matrix<Jet, 2, 2> identity = R * R.transpose();
  expect_same(identity(0, 0), 1 + Jet::zero(order));
  expect_same(identity(0, 1), Jet::zero(order));
}

}  // namespace
}  // namespace tauflex
