// Laws of torques with a preview: those of the whole path, but for an error that is stated and
// falls by the rate of the slowest unstable zero; wrong values change nothing.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/stepper.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

struct Seen {
  // Of the peak: largest error of a torque, the largest that was stated, and by which factor an
  // error exceeded what was stated for its drive.
  double error = 0, stated = 0, exceeded = 0;
  double preview = 0;
};

Seen follow(const Job& job, const Solution& whole, double preview, double floor,
            double step = 1e-3) {
  const double peak = whole.u.cwiseAbs().maxCoeff();
  Stepper stepper(job, {.step = step, .preview = preview});
  Seen seen{.preview = stepper.preview()};
  Vector stated(whole.u.rows());
  Instant exact;
  while (stepper.time() < stepper.problem().end() - 1e-9) {
    EXPECT_EQ(stepper.step_along_path(), StepperStatus::ok) << stepper.message();
    if (stepper.message()[0] != '\0' || !whole.dense->at(stepper.time(), exact)) break;
    stepper.preview_error(stated);
    const Vector error = (stepper.now().u - exact.u).cwiseAbs();
    seen.error = std::max(seen.error, error.maxCoeff() / peak);
    seen.stated = std::max(seen.stated, stated.maxCoeff() / peak);
    seen.exceeded =
        std::max(seen.exceeded, (error.array() / (stated.array() + floor * peak)).maxCoeff());
  }
  return seen;
}

class WithPreview : public testing::TestWithParam<const char*> {};

TEST_P(WithPreview, the_error_is_stated_and_falls_at_the_rate_of_the_zero) {
  const Job job = example_job(GetParam());
  const Posed posed = pose(job);
  const Solution whole =
      solve(posed.problem, posed.start, StableInversionOptions{.tolerance = 1e-9});
  ASSERT_EQ(whole.status, Status::solved) << whole.message;
  // s in which what is wrong at the end of a window falls to 1/e, along the path at rest
  const double fold = preview_needed(job, std::exp(-1.0));
  constexpr double floor = 1e-5;  // of the method itself, at 1 ms: the next test
  std::vector<Seen> seen;
  for (const double folds : {3.0, 6.0, 9.0})
    seen.push_back(follow(job, whole, folds * fold, floor));
  for (const Seen& one : seen) {
    // within what is stated, which is no more than some times the truth
    EXPECT_LT(one.exceeded, 1) << one.preview;
    EXPECT_LT(one.stated, 100 * one.error) << one.preview;
  }
  for (size_t i = 1; i < seen.size(); ++i) {
    // the zero moves along the path, and windows are whole samples
    const double rate =
        std::log(seen[i - 1].error / seen[i].error) / (seen[i].preview - seen[i - 1].preview);
    EXPECT_NEAR(rate * fold, 1, 0.25) << seen[i].preview;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, WithPreview, testing::Values("e12_nonminimum", "whip"));

TEST(PreviewStepper, a_long_preview_gives_the_torques_of_the_whole_path) {
  const Job job = example_job("e12_nonminimum");
  const Posed posed = pose(job);
  const Solution whole =
      solve(posed.problem, posed.start, StableInversionOptions{.tolerance = 1e-9});
  const double coarse = follow(job, whole, 0.08, 0, 2e-3).error,
               fine = follow(job, whole, 0.08, 0, 1e-3).error;
  // Simpson's method is of order 4; the zero moves by 0.4 in a step of 1 ms
  EXPECT_LT(fine, 1e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.7);
}

TEST(PreviewStepper, given_values_are_differentiated) {
  const Job job = example_job("e12_nonminimum");
  Stepper along(job, {.preview = 0.04}), fed(job, {.preview = 0.04});
  Vector y(2);
  double peak = 0, largest = 0;
  for (int k = 1; k <= 340; ++k) {
    ASSERT_EQ(along.step_along_path(), StepperStatus::ok) << along.message();
    path_values<double>(along.problem().path(), along.time() + along.preview(), y);
    ASSERT_EQ(fed.step(y), StepperStatus::ok) << fed.message();
    peak = std::max(peak, along.now().u.cwiseAbs().maxCoeff());
    largest = std::max(largest, (along.now().u - fed.now().u).cwiseAbs().maxCoeff());
  }
  // the sixth derivative of the path jumps at its ends
  EXPECT_LT(largest, 1e-3 * peak);
  EXPECT_GT(largest, 0);
}

TEST(PreviewStepper, starts_anew_and_holds_without_drift) {
  Stepper stepper(example_job("e12_nonminimum"), {.preview = 0.03});
  EXPECT_NEAR(stepper.time(), -0.03, 1e-12);
  for (int i = 0; i < 330; ++i) ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
  const Vector at_end = stepper.now().u;
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
  // at rest: gravity, and rounding
  EXPECT_LT(stepper.now().v.cwiseAbs().maxCoeff(), 1e-8);
  stepper.reset();
  EXPECT_NEAR(stepper.time(), -0.03, 1e-12);
  for (int i = 0; i < 330; ++i) ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
  EXPECT_EQ(stepper.now().u, at_end);
}

TEST(PreviewStepper, wrong_values_change_nothing) {
  const StepperOptions options{.preview = 0.02};
  Stepper stepper(example_job("e12_nonminimum"), options),
      other(example_job("e12_nonminimum"), options);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok);
    ASSERT_EQ(other.step_along_path(), StepperStatus::ok);
  }
  EXPECT_EQ(stepper.step(Vector::Constant(2, std::nan(""))), StepperStatus::not_a_number);
  EXPECT_EQ(stepper.step(Vector::Constant(2, 100.0)), StepperStatus::not_converged);
  EXPECT_NE(std::string(stepper.message()).find("Newton failed in equation 'servo tool."),
            std::string::npos)
      << stepper.message();
  EXPECT_EQ(stepper.now().u, other.now().u);
  EXPECT_EQ(stepper.time(), other.time());
  const double peak = stepper.now().u.cwiseAbs().maxCoeff();
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(stepper.step_along_path(), StepperStatus::ok) << stepper.message();
    ASSERT_EQ(other.step_along_path(), StepperStatus::ok);
    // matrices that Newton keeps differ, what it converges to does not
    EXPECT_LT((stepper.now().u - other.now().u).cwiseAbs().maxCoeff(), 1e-8 * peak) << i;
  }
}

// The window goes on, but the springs of the drives find no stretch under the load: their term of
// order 21 lets Newton's steps from the linear spring take a twentieth of the way each.
TEST(PreviewStepper, a_failure_behind_the_window_changes_nothing_either) {
  Job job =
      example_job("e12_nonminimum", {"robot.gravity=[0, 0, 0]", "robot.links.upper.drive.damping=0",
                                     "robot.links.fore.drive.damping=0"});
  for (Link& link : job.robot.links)
    if (link.drive) link.drive->elastic->hardening = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1e66};
  Stepper stepper(job, {.preview = 0.06});
  Vector before(2), after(2);
  StepperStatus status = StepperStatus::ok;
  while (status == StepperStatus::ok && stepper.time() < stepper.problem().end()) {
    stepper.preview_error(before);
    status = stepper.step_along_path();
  }
  ASSERT_EQ(status, StepperStatus::not_converged);
  EXPECT_GT(stepper.time(), 0.01);  // s: there were steps before
  EXPECT_GT(before.norm(), 0);
  for (int again = 0; again < 2; ++again) {
    EXPECT_NE(std::string(stepper.message()).find("no stretch of the drive springs"),
              std::string::npos)
        << stepper.message();
    stepper.preview_error(after);
    EXPECT_EQ(after, before);
    EXPECT_EQ(stepper.step_along_path(), StepperStatus::not_converged);
  }
}

TEST(PreviewStepper, says_which_preview_would_do_and_what_is_wrong) {
  const auto sentence = [](const char* example, StepperOptions options) -> std::string {
    try {
      Stepper stepper(example_job(example), options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto expect_in = [&](const char* example, StepperOptions options, const char* part) {
    const std::string said = sentence(example, options);
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  expect_in("e12_nonminimum", {}, "s ahead can answer (preview)");
  expect_in("e12_nonminimum", {.preview = -1}, "stepper.preview: must not be negative, got -1");
  expect_in("e12_nonminimum", {.preview = 0.002},
            "stepper.preview: must be 8 to 1e6 steps of 0.001 s");
  expect_in("e12", {.preview = 0.1}, "steps with a preview are not needed");
  EXPECT_EQ(preview_needed(example_job("e12")), 0);
  // the zero is at +378 per second at the start
  EXPECT_NEAR(preview_needed(example_job("e12_nonminimum"), 1e-6), 13.8 / 378, 0.2 * 13.8 / 378);
  EXPECT_THROW(preview_needed(example_job("e12"), 2), InputError);
}

}  // namespace
}  // namespace tauflex
