// The growth that a difference formula adds: closed forms, stability regions, and the sequence
// itself.
#include "tauflex/solvers/step_stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/solvers/bdf_formula.hpp"

namespace tauflex {
namespace {

using Complex = std::complex<double>;

TEST(StepStability, first_order_in_closed_form) {
  for (const Complex hs : {Complex(-0.5, 0), Complex(0, 2), Complex(-0.1, 3), Complex(0.2, 1)})
    EXPECT_NEAR(largest_root(1, hs), std::abs(1.0 / (1.0 - hs)), 1e-14);  // rounding
}

// A-stable up to order 2, on the negative real axis up to order 6.
TEST(StepStability, known_regions) {
  for (double w = 0.01; w < 100; w *= 1.3) {
    EXPECT_LT(largest_root(1, {0, w}), 1) << w;
    EXPECT_LT(largest_root(2, {0, w}), 1 + 1e-12) << w;  // rounding; (w h)^4 / 4 below 1
    for (int order = 1; order <= 6; ++order) EXPECT_LT(largest_root(order, {-w, 0}), 1) << w;
  }
  for (int order = 3; order <= 6; ++order) EXPECT_GT(largest_root(order, {0, 1}), 1) << order;
}

// x_i from sum a_l x_(i-l) = h s x_i
TEST(StepStability, is_the_growth_of_the_sequence) {
  for (int order = 3; order <= 6; ++order) {
    const Complex hs(-0.03, 0.9);
    const BdfFormula formula(order);
    std::vector<Complex> x(order, 0.0);
    x.back() = 1;
    const int steps = 2000;
    double log_size = 0;
    for (int i = 0; i < steps; ++i) {
      Complex sum = 0;
      for (int l = 1; l <= order; ++l) sum += formula.a[l] * x[x.size() - l];
      x.push_back(-sum / (formula.a[0] - hs));
      const double size = std::abs(x.back());
      log_size += std::log(size);
      for (Complex& value : x) value /= size;
    }
    EXPECT_NEAR(log_size / steps, std::log(largest_root(order, hs)), 3e-3) << order;  // its start
  }
}

TEST(StepStability, grows_with_the_number_of_steps) {
  const Posed e12 = pose(example_job("e12_bdf"));
  const double short_move = formula_growth(e12.problem, e12.diagnosis, 4, 0.02).exponent;
  EXPECT_GT(short_move, 0);
  const InverseProblem longer = e12.problem.with_window({.hold_before = 0, .hold_after = 0.6});
  const double rate = formula_growth(longer, e12.diagnosis, 4, 0.02).exponent / short_move;
  EXPECT_NEAR(rate, 3, 0.1);  // 0.9 s to 0.3 s; the zeros change little along the path
  EXPECT_EQ(formula_growth(e12.problem, e12.diagnosis, 2, 0.02).exponent, 0);
}

}  // namespace
}  // namespace tauflex
