// Laws of torques step by step: the same as over the whole path; from rest, without drift; wrong
// values change nothing.
#include "tauflex/results/stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

class StepByStep : public testing::TestWithParam<const char*> {};

TEST_P(StepByStep, gives_the_torques_of_the_whole_path) {
  const Job job = example_job(GetParam());
  const Posed posed = pose(job);
  const Solution whole = solve(
      posed.problem, posed.start,
      BdfOptions{
          .order = 3, .step = posed.problem.path().duration() / 200, .form = BdfForm::blockwise});
  ASSERT_EQ(whole.status, Status::solved) << whole.message;
  Stepper inside(job, {.step = whole.step, .order = 3}), fed(job, inside.options());
  const auto outputs = std::ssize(job.task.outputs);
  const double peak = whole.u.cwiseAbs().maxCoeff();
  Vector y(posed.problem.output_count());
  for (int i = 1; i <= whole.steps; ++i) {
    ASSERT_EQ(inside.step_along_path(), StepperStatus::ok) << inside.message();
    path_values<double>(posed.problem.path(), fed.time() + whole.step, y);
    ASSERT_EQ(fed.step(y.head(outputs)), StepperStatus::ok) << fed.message();
    // the same operations; only the very last time is rounded otherwise, and u amplifies by h^-3
    const double rounding = i < whole.steps ? 1e-12 : 1e-5;
    ASSERT_LT((inside.now().u - whole.u.col(i)).cwiseAbs().maxCoeff(), rounding * peak) << i;
    if (outputs == y.size())
      ASSERT_LT((fed.now().u - inside.now().u).cwiseAbs().maxCoeff(), 1e-5 * peak) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, StepByStep,
                         testing::Values("e12", "rigid_2r", "six_axis_elastic", "four_bar",
                                         "polishing", "seven_axis"));

TEST(Stepper, holds_without_drift_and_starts_anew) {
  Stepper stepper(example_job("e12"));
  for (int i = 0; i < 300; ++i) ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
  const Vector at_end = stepper.now().u;
  for (int i = 0; i < 40'000; ++i)
    ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok) << stepper.message();
  // the hand has rung out, exp(-0.625 * 40); what is left is gravity, and rounding of q, 1e-15 rad,
  // which makes forces over h^2, and velocities of rotors over K and h: 1e-15 4e6 500 / 1e5 / 1e-3
  EXPECT_NEAR(stepper.time(), 40.3, 1e-9);
  const Vector held = stepper.now().u;
  std::vector<double> speeds;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
    speeds.push_back(stepper.now().v.cwiseAbs().maxCoeff());
  }
  // .. in half of the steps: rounding scatters, and single steps have six times as much
  std::nth_element(speeds.begin(), speeds.begin() + 500, speeds.end());
  EXPECT_LT(speeds[500], 1e-7);
  // and torques over h once more, times their inertia: 1e-7 / 1e-3 100; held are 3 kN m
  EXPECT_LT((stepper.now().u - held).cwiseAbs().maxCoeff(), 1.0);
  EXPECT_GT(held.cwiseAbs().maxCoeff(), 1000);
  stepper.reset();
  EXPECT_EQ(stepper.time(), 0);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
  EXPECT_EQ(stepper.now().u, at_end);
}

TEST(Stepper, wrong_values_change_nothing) {
  Stepper stepper(example_job("e12")), other(example_job("e12"));
  const Vector u = stepper.now().u;
  EXPECT_EQ(stepper.step(Vector::Constant(2, std::nan(""))), StepperStatus::not_a_number);
  EXPECT_EQ(stepper.step(Vector::Constant(3, 1.0)), StepperStatus::not_a_number);
  EXPECT_STREQ(stepper.message(), "t = 0.001 s: expected 2 finite numbers, one for each output");
  EXPECT_EQ(stepper.step(Vector::Constant(2, 100.0)), StepperStatus::not_converged);
  EXPECT_EQ(stepper.time(), 0);
  EXPECT_EQ(stepper.now().u, u);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
    ASSERT_EQ(other.step_along_path(), StepperStatus::ok);
    EXPECT_EQ(stepper.now().u, other.now().u);
  }
}

TEST(Stepper, refuses_what_the_past_cannot_answer) {
  const auto sentence = [](const char* example, StepperOptions options = {}) -> std::string {
    try {
      Stepper stepper(example_job(example), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence("e12_nonminimum").find("steps that know the past only cannot answer"),
            std::string::npos);
  EXPECT_NE(sentence("e12_nonminimum").find("s ahead can answer (preview)"), std::string::npos);
  EXPECT_NE(sentence("e12", {.step = 0}).find("stepper.step: must be greater than 0, got 0"),
            std::string::npos);
  EXPECT_NE(sentence("e12", {.order = 7}).find("stepper.order: must be 1 to 6, got 7"),
            std::string::npos);
}

}  // namespace
}  // namespace tauflex
