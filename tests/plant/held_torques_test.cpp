// Torques of a sampled controller: closed forms, and what they cost a rigid mass.
#include "tauflex/plant/held_torques.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

// u(t) = (1 + 2 t + 3 t^2) for each drive, in place of a solution's.
class Parabola : public testing::Test {
 protected:
  Parabola() : posed_(pose(example_job("rigid_2r"))) {
    solution_ = solve(posed_.problem, posed_.start, ExactOptions{.step = 5e-3});
    for (Eigen::Index i = 0; i < solution_.t.size(); ++i)
      solution_.u.col(i).setConstant(u(solution_.t[i]));
  }
  static double u(double t) { return 1 + 2 * t + 3 * t * t; }
  HeldTorques held(double sample, Hold hold, HeldValue value) {
    return held_torques(posed_.problem, solution_, {sample, hold, value});
  }
  Posed posed_;
  Solution solution_;
};

TEST_F(Parabola, closed_forms_of_a_constant_hold) {
  const double T = 0.02;
  const HeldTorques start = held(T, Hold::held, HeldValue::start),
                    middle = held(T, Hold::held, HeldValue::middle),
                    mean = held(T, Hold::held, HeldValue::mean);
  ASSERT_EQ(start.t.size(), 51);  // 1 s, and the end
  for (Eigen::Index k = 0; k < 50; ++k) {
    const double t = static_cast<double>(k) * T;
    EXPECT_NEAR(start.t[k], t, 1e-15);
    EXPECT_NEAR(start.u(0, k), u(t), 1e-13);
    EXPECT_NEAR(middle.u(0, k), u(t + T / 2), 1e-13);
    EXPECT_NEAR(mean.u(0, k), u(t + T / 2) + 3 * T * T / 12, 1e-13);  // u'' T^2/24
  }
}

// Normal equations: the error of the broken line is orthogonal to every hat.
TEST_F(Parabola, the_closest_line_is_orthogonal_to_its_error) {
  const HeldTorques line = held(0.1, Hold::linear, HeldValue::mean);
  for (Eigen::Index k = 1; k + 1 < line.t.size(); ++k) {
    double sum = 0;  // int (w - u) hat_k by the midpoint rule
    for (int i = 0; i < 20000; ++i) {
      const double x = (i + 0.5) / 10000 - 1, t = line.t[k] + 0.1 * x;  // x: -1..1
      const Eigen::Index left = x < 0 ? k - 1 : k;
      const double s = (t - line.t[left]) / 0.1;
      sum += (line.u(0, left) * (1 - s) + line.u(0, left + 1) * s - u(t)) * (1 - std::abs(x));
    }
    EXPECT_NEAR(sum * 1e-4, 0, 1e-9);  // the rule's own error
  }
}

TEST_F(Parabola, a_last_sample_that_is_not_full_is_there) {
  EXPECT_EQ(held(0.3, Hold::held, HeldValue::mean).t.size(), 5);  // 0, 0.3, 0.6, 0.9, 1.2
  EXPECT_EQ(held(7, Hold::held, HeldValue::best).t.size(), 2);
}

TEST_F(Parabola, refuses_what_makes_no_sense) {
  EXPECT_THROW(held(0, Hold::held, HeldValue::mean), InputError);
  EXPECT_THROW(held(0.1, Hold::smooth, HeldValue::mean), InputError);
  EXPECT_THROW(held(0.1, Hold::linear, HeldValue::middle), InputError);
}

}  // namespace
}  // namespace tauflex
