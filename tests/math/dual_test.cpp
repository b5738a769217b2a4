// Closed form: derivatives of the elementary functions. Law: product, quotient and chain rule.
#include "tauflex/math/dual.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

namespace tauflex {
namespace {

constexpr double rounding = 1e-15;  // relative; a handful of operations on numbers near 1

void expect_dual(const Dual& a, double value, double slope) {
  EXPECT_NEAR(a.value, value, rounding * std::max(1.0, std::abs(value)));
  EXPECT_NEAR(a.slope, slope, 4 * rounding * std::max(1.0, std::abs(slope)));
}

const double x = 0.7, dx = 1.3, y = -0.4, dy = 0.9;
const Dual X(x, dx), Y(y, dy);

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  expect_dual(X + Y, x + y, dx + dy);
  expect_dual(X - Y, x - y, dx - dy);
  expect_dual(X * Y, x * y, dx * y + x * dy);
  expect_dual(X / Y, x / y, (dx * y - x * dy) / (y * y));
  expect_dual(-X, -x, -dx);
  expect_dual(2 * X + 1, 2 * x + 1, 2 * dx);
  expect_dual(1 / X, 1 / x, -dx / (x * x));
}

TEST(Dual, KnowsTheDerivativesOfFunctions) {
  expect_dual(sin(X), std::sin(x), dx * std::cos(x));
  expect_dual(cos(X), std::cos(x), -dx * std::sin(x));
  expect_dual(exp(X), std::exp(x), dx * std::exp(x));
  expect_dual(log(X), std::log(x), dx / x);
  expect_dual(sqrt(X), std::sqrt(x), dx / (2 * std::sqrt(x)));
  expect_dual(tanh(X), std::tanh(x), dx / (std::cosh(x) * std::cosh(x)));
  expect_dual(abs(Y), -y, -dy);
  expect_dual(abs(X), x, dx);
}

TEST(Dual, ChainsFunctions) {
  // d/dx exp(sin(x^2)) = exp(sin(x^2)) cos(x^2) 2x
  const double expected = std::exp(std::sin(x * x)) * std::cos(x * x) * 2 * x * dx;
  expect_dual(exp(sin(X * X)), std::exp(std::sin(x * x)), expected);
}

TEST(Dual, MayStandOnBothSidesOfAnAssignment) {
  Dual a = X;
  a *= a;
  expect_dual(a, x * x, 2 * x * dx);
  a = X;
  a /= a;
  expect_dual(a, 1, 0);
}

TEST(Dual, ComparesByValue) {
  EXPECT_TRUE(Y < X);
  EXPECT_TRUE(X > 0.5);
  EXPECT_TRUE(X >= x);
  EXPECT_TRUE(Dual(1, 2) == Dual(1, 3));
  EXPECT_EQ(leading(X), x);
}

// d(A^-1) = -A^-1 dA A^-1: Eigen works with Duals.
TEST(Dual, IsAScalarOfEigen) {
  Eigen::Matrix<Dual, 2, 2> A;
  A << X, 0.2, Y, 2.0;
  const Eigen::Matrix<Dual, 2, 2> inverse = A.inverse(), product = A * inverse;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) expect_dual(product(i, j), i == j ? 1 : 0, 0);
}

}  // namespace
}  // namespace tauflex
