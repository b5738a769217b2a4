// Law: the steps of the BDF solvers do not allocate; only their set-up does.
#include <gtest/gtest.h>

#include "counting_malloc.hpp"
#include "example_jobs.hpp"
#include "tauflex/results/stepper.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

class StepAllocation : public testing::TestWithParam<const char*> {};

TEST_P(StepAllocation, twice_the_steps_cost_no_allocation_more) {
  const Posed posed = pose(example_job(GetParam()));
  for (const BdfForm form : {BdfForm::blockwise, BdfForm::monolithic})
    for (const int order : {1, 3, 6}) {
      const auto allocations = [&](double step) {
        return count_allocations([&] {
          solve(posed.problem, posed.start, BdfOptions{.order = order, .step = step, .form = form});
        });
      };
      const double step = posed.problem.path().duration() / 100;
      allocations(step);  // one-time set-up of the runtime
      EXPECT_EQ(allocations(step), allocations(step / 2));
      EXPECT_GT(allocations(step), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Examples, StepAllocation,
                         testing::Values("e12_bdf", "e12_linearized", "rigid_2r", "two_cars",
                                         "four_bar", "delta_robot", "delta_robot_elastic",
                                         "polishing"));

TEST(StepAllocation, stepping_for_a_controller_allocates_nothing) {
  for (const char* example : {"e12", "six_axis_elastic", "polishing"}) {
    Stepper stepper(example_job(example));
    stepper.step_along_path();  // one-time set-up of the runtime
    EXPECT_EQ(count_allocations([&] {
                for (int i = 0; i < 100; ++i) stepper.step_along_path();
              }),
              0)
        << example;
  }
}

TEST(StepAllocation, stepping_with_a_preview_allocates_nothing) {
  for (const char* example : {"e12_nonminimum", "whip"}) {
    Stepper stepper(example_job(example), {.preview = 0.03});
    Vector y(stepper.now().y), error(stepper.now().u);
    for (int i = 0; i < 5; ++i) stepper.step_along_path();  // one-time set-up of the runtime
    stepper.preview_error(error);
    EXPECT_EQ(count_allocations([&] {
                for (int i = 0; i < 100; ++i) stepper.step_along_path();
                stepper.preview_error(error);
                for (int i = 0; i < 3; ++i) stepper.step(y);
              }),
              0)
        << example;
  }
}

}  // namespace
}  // namespace tauflex
