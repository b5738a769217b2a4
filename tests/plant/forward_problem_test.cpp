// The forward problem: its Jacobian against differences of its own rate, and the torque table.
#include "tauflex/plant/forward_problem.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/plant/feedback.hpp"

namespace tauflex {
namespace {

TEST(ForwardProblem, jacobian_matches_the_rate) {
  for (const bool with_feedback : {false, true}) {
    const Robot robot(example_job("e12_bdf").robot);
    const Vector t = Vector::LinSpaced(3, 0, 1);
    const Matrix u = Matrix::Constant(2, 3, 300.0);
    std::shared_ptr<Controller> feedback;
    if (with_feedback)
      feedback = std::make_shared<Feedback>(
          robot, FeedbackReference{Vector::Constant(2, 1e4), Vector::Constant(2, 300), t,
                                   Matrix::Constant(2, 3, 0.2), Matrix::Zero(2, 3)});
    ForwardProblem forward(robot, TorqueSignal(t, u, Hold::linear), feedback);
    const int n = forward.size();
    Vector x = Vector::LinSpaced(n, -0.4, 0.6), plus(n), minus(n);
    Matrix J(n, n);
    forward.jacobian(0.1, x, J);
    for (int i = 0; i < n; ++i) {
      const double h = 1e-5;
      Vector shifted = x;
      shifted[i] += h;
      forward.rate(0.1, shifted, plus);
      shifted[i] -= 2 * h;
      forward.rate(0.1, shifted, minus);
      const Vector difference = (plus - minus) / (2 * h);
      // central difference: h^2 truncation and rounding of rates of 1e3
      EXPECT_LT((J.col(i) - difference).cwiseAbs().maxCoeff(),
                1e-6 * (1 + difference.cwiseAbs().maxCoeff()))
          << i;
    }
  }
}

TEST(TorqueSignal, holds) {
  const Vector t = Vector::LinSpaced(11, 0, 1);
  Matrix u(1, 11);
  for (int i = 0; i < 11; ++i) u(0, i) = std::pow(t[i], 5);
  Vector value(1);
  const auto at = [&](Hold hold, double time) {
    const TorqueSignal signal(t, u, hold);
    signal.value(time, signal.interval(time), value);
    return value[0];
  };
  EXPECT_NEAR(at(Hold::smooth, 0.537), std::pow(0.537, 5), 1e-14);  // degree 5 is exact
  EXPECT_NEAR(at(Hold::smooth, 0.03), std::pow(0.03, 5), 1e-14);    // also at the border
  EXPECT_NEAR(at(Hold::linear, 0.55), (std::pow(0.5, 5) + std::pow(0.6, 5)) / 2,
              1e-15);  // rounding
  EXPECT_EQ(at(Hold::held, 0.5999), u(0, 5));
  EXPECT_EQ(at(Hold::held, 0.45), u(0, 4));
  EXPECT_EQ(at(Hold::linear, -3), u(0, 0));
  EXPECT_EQ(at(Hold::linear, 7), u(0, 10));
}

}  // namespace
}  // namespace tauflex
