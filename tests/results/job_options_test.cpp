// Options of a job that were set in C++: the same rules as in a file.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

template <class Options>
std::string error_of(const Options& options) {
  try {
    options.check();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(JobOptions, controller) {
  using Kind = ControllerOptions::Kind;
  for (const Kind kind : {Kind::pd, Kind::computed_torque})
    EXPECT_EQ(error_of(ControllerOptions::of(kind)), "none");
  ControllerOptions alone = ControllerOptions::of(Kind::torques_alone);
  EXPECT_EQ(error_of(alone), "controller.sample: must be greater than 0, got 0");
  alone.sample = 1e-3;
  alone.hold = Hold::linear;
  EXPECT_EQ(error_of(alone), "none");
  alone.torques = HeldValue::middle;
  EXPECT_EQ(error_of(alone), "controller.torques: middle belongs to hold: zero");
  alone.hold = Hold::smooth;
  EXPECT_EQ(error_of(alone), "controller.hold: must be zero or linear");

  ControllerOptions pd;
  pd.hold = Hold::linear;
  EXPECT_EQ(error_of(pd),
            "controller.hold: a controller that measures does not know its next command; hold: "
            "zero");
  pd.hold = Hold::held;
  pd.sample = -1;
  EXPECT_EQ(error_of(pd), "controller.sample: must be greater than 0, got -1");
  ControllerOptions computed;
  computed.kind = Kind::computed_torque;  // and not of(..): it would send the torques twice
  EXPECT_EQ(error_of(computed),
            "controller.feedforward: belongs to pd; computed torque has its own");
}

TEST(JobOptions, verification_and_simulation) {
  EXPECT_EQ(error_of(VerificationOptions{.tolerance = 0}),
            "verification.tolerance: must be greater than 0, got 0");
  EXPECT_EQ(error_of(VerificationOptions{.simulation = {.max_steps = 0}}),
            "verification.simulation.max_steps: must be at least 1, got 0");
  VerificationOptions controlled;
  controlled.controller.emplace().sample = -1;
  EXPECT_EQ(error_of(controlled), "controller.sample: must be greater than 0, got -1");
  EXPECT_EQ(error_of(SimulationOptions{.relative_tolerance = 0}),
            "simulation.relative_tolerance: must be greater than 0, got 0");
  EXPECT_EQ(error_of(SimulationRun{.duration = -1}),
            "simulation.duration: must be greater than 0, got -1");
  EXPECT_EQ(error_of(SimulationRun{.rate = 0}), "simulation.rate: must be greater than 0, got 0");
  EXPECT_EQ(error_of(FreeRunOptions{.rate = 0}), "simulation.rate: must be greater than 0, got 0");
  EXPECT_EQ(error_of(FreeRunOptions{.duration = -1}),
            "simulation.duration: must be greater than 0, got -1");
  EXPECT_EQ(error_of(FreeRunOptions{.rate = 50}), "none");
}

TEST(JobOptions, are_checked_by_run) {
  Job job = example_job("rigid_2r");
  job.verification.tolerance = -1;
  EXPECT_THROW(run(job), FieldError);
  job = example_job("rigid_2r");
  job.method = BdfOptions{.order = 9};
  EXPECT_THROW(run(job), FieldError);
  EXPECT_THROW(simulate_job(example_job("rigid_2r"), {.rate = -1}), FieldError);
}

}  // namespace
}  // namespace tauflex
