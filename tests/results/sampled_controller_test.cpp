// What a sampled controller makes of the torques, and the torques that are best for it.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/results/write_files.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

Record sampled(const std::string& example, const std::string& controller,
               std::vector<std::string> overrides = {}) {
  overrides.push_back("controller={" + controller + "}");
  return run(example_job(example, overrides));
}
double error(const std::string& example, const std::string& controller,
             const std::vector<std::string>& overrides = {}) {
  return *sampled(example, controller, overrides).verification->max_tool_error_m;
}

const std::vector<std::string> accurate = {"method={jets: {step: 0.0005}}"};

// m; measured: 10.05 mm, 21.7 um, 42.6 um, 0.088 um
TEST(SampledController, e12_at_1_ms_with_a_constant_torque) {
  const double start = error("e12_bdf", "sample: 0.001, hold: zero", accurate);
  const double middle = error("e12_bdf", "sample: 0.001, torques: middle", accurate);
  const double mean = error("e12_bdf", "sample: 0.001, torques: mean", accurate);
  const double best = error("e12_bdf", "sample: 0.001, torques: best", accurate);
  EXPECT_NEAR(start, 0.010, 0.001);
  EXPECT_LT(middle, start / 300);
  EXPECT_LT(mean, start / 150);
  EXPECT_LT(best, middle / 100);
}

// m; measured: 42.0 um, 0.089 um, 0.088 um
TEST(SampledController, e12_at_1_ms_with_a_linear_torque) {
  const double start = error("e12_bdf", "sample: 0.001, hold: linear", accurate);
  EXPECT_NEAR(start, 4.2e-5, 0.3e-5);
  EXPECT_LT(error("e12_bdf", "sample: 0.001, hold: linear, torques: mean", accurate), start / 200);
  EXPECT_LT(error("e12_bdf", "sample: 0.001, hold: linear, torques: best", accurate), start / 200);
}

// The inertia that motors feel changes with the pose, and loops are closed: order 4 in the
// linearisation is needed. Measured at 2 ms: mean 9.9 and 128 um, best 0.008 and 0.27 um.
TEST(SampledController, the_best_torques_of_rigid_robots) {
  for (const char* example : {"rigid_2r", "delta_robot"}) {
    const std::vector<std::string> overrides = {"method={exact: {step: 0.0005}}"};
    EXPECT_LT(error(example, "sample: 0.002, torques: best", overrides),
              error(example, "sample: 0.002, torques: mean", overrides) / 100)
        << example;
  }
}

// First order for the value of the start, second for the mean.
TEST(SampledController, orders) {
  const auto ratio = [](const std::string& torques) {
    return error("e12_bdf", "sample: 0.002, torques: " + torques, accurate) /
           error("e12_bdf", "sample: 0.001, torques: " + torques, accurate);
  };
  EXPECT_NEAR(ratio("start"), 2, 0.2);
  EXPECT_NEAR(ratio("middle"), 4, 0.4);
  EXPECT_NEAR(ratio("mean"), 4, 0.4);
}

TEST(SampledController, the_table_has_what_was_sent_and_proves_itself) {
  const TemporaryFolder folder;
  const std::string controller = "sample: 0.001, torques: best";
  const Record record = sampled("e12_bdf", controller, accurate);
  ASSERT_TRUE(record.sent.has_value());
  EXPECT_EQ(record.sent->t.size(), 301);
  EXPECT_EQ(record.verification->mode, VerificationMode::open_loop);
  EXPECT_EQ(record.verification->torque, Hold::held);
  const auto file = folder.path() / "torques.csv";
  write_files(folder.path(),
              {{"torques.csv", format_table(sent_table(record.robot, *record.sent))}});
  const Job job = example_job("e12_bdf", {"controller={" + controller + "}"});
  const Posed posed = pose(job);
  const Record again = verify_table(job, posed, read_trajectory(file, posed.problem));
  EXPECT_LT(*again.verification->max_tool_error_m, 1e-6);  // m; 10 mm for u at the samples
  const FreeRun free = simulate_job(job, {.torques = file});
  EXPECT_EQ(free.hold, Hold::held);
  const Vector end = free.y.col(free.y.cols() - 1);
  EXPECT_NEAR(end[0], 1.146, 1e-6);  // m; where the path ends
  EXPECT_NEAR(end[1], 1.645, 1e-6);
}

TEST(SampledController, torques_without_a_proof_are_sampled_too) {
  const Record record =
      run(example_job("e12_bdf", {"controller={sample: 0.002, torques: mean}"}), Until::solved);
  ASSERT_TRUE(record.sent.has_value());
  EXPECT_EQ(record.sent->t.size(), 151);
  EXPECT_FALSE(run(example_job("e12_bdf"), Until::solved).sent.has_value());
}

TEST(SampledController, feedback_on_top_of_the_best_torques) {
  const std::string pd = "pd: {}, sample: 0.002";
  const Record start = sampled("e12_bdf", pd, accurate),
               best = sampled("e12_bdf", pd + ", torques: best", accurate);
  EXPECT_EQ(best.verification->mode, VerificationMode::feedback);
  EXPECT_LT(*best.verification->max_tool_error_m,
            *start.verification->max_tool_error_m / 5);  // m; measured 1.30 and 0.19 mm
  EXPECT_FALSE(start.sent.has_value());  // as before: the law reads the torques itself
}

TEST(SampledController, simulate_sends_the_same) {
  const Job job = example_job("e12_bdf", {"controller={sample: 0.001, torques: best}", accurate[0]});
  const FreeRun free = simulate_job(job, {});
  EXPECT_NEAR(free.y(0, free.y.cols() - 1), 1.146, 1e-6);  // m
  EXPECT_EQ(free.hold, Hold::held);
}

TEST(SampledController, says_what_is_wrong) {
  const auto message = [](const std::string& controller, const std::string& more = "") {
    try {
      example_job("e12_bdf", {"controller={" + controller + "}", "verification.mode=auto" + more});
      return std::string("accepted");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  const auto expect = [&](const std::string& controller, const std::string& part) {
    EXPECT_NE(message(controller).find(part), std::string::npos) << message(controller);
  };
  expect("hold: zero", "expected pd, computed_torque, or sample for the torques alone");
  expect("pd: {}, hold: zero", "needs 'sample'");
  expect("sample: 0.001, hold: two", "expected zero or linear, got 'two'");
  expect("sample: 0.001, torques: good", "expected start, middle, mean or best, got 'good'");
  expect("sample: 0.001, hold: linear, torques: middle", "middle belongs to hold: zero");
  expect("sample: 0.001, feedforward: true", "belongs to pd");
  expect("pd: {}, sample: 0.001, hold: linear", "does not know its next command");
  expect("pd: {}, feedforward: false, sample: 0.001, torques: best", "are not sent");
  expect("computed_torque: {}, sample: 0.001, torques: best", "belongs to pd or torques alone");
  expect("computed_torque: {}, feedforward: true", "controller.feedforward: belongs to pd");
  expect("sample: 0.001, holt: zero", "unknown key 'holt'; did you mean 'hold'?");
  expect("pd: {}, computed_torque: {}", "not both");
}

}  // namespace
}  // namespace tauflex
