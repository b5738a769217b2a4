// The proof: tool errors, modes, energy balance, and that it notices wrong torques.
#include <gtest/gtest.h>

#include <numbers>

#include "example_jobs.hpp"
#include "math/random.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/warnings.hpp"
#include "tauflex/solvers/torque_noise.hpp"

namespace tauflex {
namespace {

Record ran(const std::string& example, const std::vector<std::string>& overrides = {}) {
  return run(example_job(example, overrides));
}

class EveryExample : public testing::TestWithParam<const char*> {};

TEST_P(EveryExample, is_solved_and_verified) {
  const Record record = ran(GetParam());
  EXPECT_EQ(record.solution.status, Status::solved) << record.solution.message;
  ASSERT_TRUE(record.verification.has_value());
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_EQ(record.exit_code(), ExitCode::success);
  EXPECT_LT(record.verification->energy_balance_error,
            1e-8);  // of the energy; the integrator's tolerance of 1e-10
  EXPECT_LT(record.solution.max_constraint_residual, 1e-12);  // m or rad; Newton ends at rounding
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample,
                         testing::Values("e12_bdf", "e12_limits", "e12_nonminimum", "whip",
                                         "e12_linearized", "e1_simplified", "e1_complete",
                                         "rigid_2r", "flexible_joint", "two_cars", "four_bar",
                                         "delta_robot", "delta_robot_elastic", "polishing",
                                         "constant_orientation", "anthropomorphic_joint",
                                         "anthropomorphic_line", "anthropomorphic_absolute",
                                         "computed_torque"));

TEST(Verification, e12_with_linear_torque) {
  const Record record =
      ran("e12_bdf", {"method={bdf: {order: 3, step: 0.0005}}", "verification={torque: linear}"});
  EXPECT_EQ(record.verification->mode, VerificationMode::open_loop);
  EXPECT_LE(*record.verification->max_tool_error_m, 1e-4);  // m; asked for, 1.2e-5 measured
  EXPECT_LT(*record.verification->rms_tool_error_m, *record.verification->max_tool_error_m);
  EXPECT_NEAR(record.verification->growth(), 2.2, 0.1);  // printed digit of the reference
}

TEST(Verification, e1_simplified) {
  const Record record = ran(
      "e1_simplified", {"method={bdf: {order: 4, step: 0.001}}", "verification={torque: smooth}"});
  EXPECT_LT(*record.verification->max_tool_error_m, 5e-6);  // m; asked for
}

TEST(Verification, the_hold_matters) {
  const auto error = [](const char* hold) {
    return *ran("e12_bdf", {"method={bdf: {order: 3, step: 0.001}}",
                            std::string("verification={torque: ") + hold + "}"})
                .verification->max_tool_error_m;
  };
  EXPECT_NEAR(error("held"), 0.010, 0.002);  // m; one digit of the reference
  EXPECT_LT(error("linear"), 1e-4);          // m; 5e-5 measured
}

TEST(Verification, notices_wrong_torques) {
  const Job job = example_job("e12_bdf");
  const Posed posed = pose(job);
  Solution wrong = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 1e-3});
  wrong.u *= 1.02;
  const Verification proof = verify(posed.plant, posed.problem, wrong, job.verification);
  EXPECT_EQ(proof.status, Status::missed);
  EXPECT_GT(*proof.max_tool_error_m, 5e-3);  // m; 4e-7 per 1e-7, so about 80 mm
}

TEST(Verification, small_torque_errors_move_the_tool_as_known) {
  const Job job = example_job("e12_bdf", {"verification={torque: linear}"});
  const Posed posed = pose(job);
  const Solution right = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 1e-3});
  Solution wrong = right;
  wrong.u *= 1 + 1e-4;
  const Verification a = verify(posed.plant, posed.problem, right, job.verification),
                     b = verify(posed.plant, posed.problem, wrong, job.verification);
  // m; u scaled by 1 + 1e-7 moves the tool 4e-7: one printed digit
  EXPECT_NEAR((a.y - b.y).colwise().norm().maxCoeff(), 4e-4, 0.5e-4);
}

TEST(Verification, a_different_plant_misses) {
  const Record record = ran("e12_bdf", {"verification.plant={links.hand.mass: 220}"});
  EXPECT_EQ(record.verification->status, Status::missed);
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed);
  EXPECT_NE(record.verification->message.find("above the tolerance"), std::string::npos)
      << record.verification->message;
}

TEST(Verification, segments_restart_from_the_solution) {
  const Record open = ran("e12_bdf", {"task.hold.after=2", "verification.mode=open_loop"});
  const Record segments = ran("e12_bdf", {"task.hold.after=2", "verification.mode=segments"});
  EXPECT_GT(segments.verification->segments, 1);
  EXPECT_LT(*segments.verification->max_tool_error_m,
            *open.verification->max_tool_error_m / 2);  // growth of 400 in one run
}

class SegmentEnds : public testing::TestWithParam<const char*> {};

// Torques that are wrong just before a restart do most harm at the restart itself. The proof of
// the segment alone says how much, and the whole proof has to say the same.
TEST_P(SegmentEnds, count) {
  Job job = example_job(GetParam());
  job.verification.torque = Hold::linear;
  const Posed posed = pose(job);
  const double span = posed.problem.end() - posed.problem.begin();
  Solution wrong = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = span / 200});
  ASSERT_EQ(wrong.steps, 200);
  const int first = 50, last = 100;  // the second of four segments
  wrong.u.middleCols(last - 4, 4) *= 100;
  Solution segment = wrong;
  segment.t = wrong.t.segment(first, last - first + 1);
  for (Matrix Solution::*m :
       {&Solution::q, &Solution::v, &Solution::vdot, &Solution::u, &Solution::lambda, &Solution::y})
    segment.*m = (wrong.*m).middleCols(first, last - first + 1);

  job.verification.mode = VerificationMode::open_loop;
  const Verification alone = verify(posed.plant, posed.problem, segment, job.verification);
  const double end = alone.tool_error[last - first], before = alone.tool_error[last - first - 1];
  ASSERT_GT(end, 1.3 * before);
  job.verification.mode = VerificationMode::segments;
  const Verification proof = verify(posed.plant, posed.problem, wrong, job.verification);
  ASSERT_EQ(proof.segments, 4);
  const auto expect_equal = [](std::optional<double> a, std::optional<double> b) {
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) EXPECT_NEAR(*a, *b, 1e-9 * *b);  // the same integrator on the same torques
  };
  expect_equal(proof.max_tool_error_m, alone.max_tool_error_m);
  expect_equal(proof.max_orientation_error_rad, alone.max_orientation_error_rad);
  expect_equal(proof.max_force_error_N, alone.max_force_error_N);
  expect_equal(proof.tool_error[last], end);
  expect_equal(proof.tool_error.maxCoeff(), end);
  EXPECT_NEAR((proof.y.col(last) - alone.y.col(last - first)).norm(), 0, 1e-9);  // m, rad, N
  EXPECT_NEAR((proof.q.col(last) - alone.q.col(last - first)).norm(), 0, 1e-9);
  // measured in each of 201 samples and once between two of them
  EXPECT_GE(proof.rms_tool_error_m.value_or(end), end / std::sqrt(401));
  EXPECT_LT(proof.tool_error[last + 2], end / 2);  // it starts again from the solution
}

INSTANTIATE_TEST_SUITE_P(Examples, SegmentEnds,
                         testing::Values("e12_bdf", "flexible_joint", "polishing"));

// Errors that grow a thousand times in a segment are largest where it ends.
TEST(Verification, a_long_hold_is_verified_in_segments_by_itself) {
  const Record record = ran("e12_bdf", {"task.hold.after=6", "verification.tolerance=1e-3"});
  const Verification& proof = *record.verification;
  EXPECT_GT(proof.growth(), 1e7);
  EXPECT_EQ(proof.mode, VerificationMode::segments);
  // m; at the second restart. Differences of order 3 every 0.5 ms carry rounding: it is 4.3367e-3
  // with one BLAS and 4.3341e-3 with another
  EXPECT_NEAR(*proof.max_tool_error_m, 4.335e-3, 1e-5);
  EXPECT_EQ(proof.tool_error.maxCoeff(), *proof.max_tool_error_m);
  EXPECT_EQ(proof.status, Status::missed);
}

// A thousand samples of an easy motion take a thousand steps, and these are not too many.
TEST(Verification, samples_are_not_steps) {
  const Record record = ran("rigid_2r", {"verification.simulation.max_steps=20"});
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_GT(record.verification->integrator_steps, 1000);
}

TEST(Verification, feedback_holds_an_unstable_arm) {
  const Record open =
      ran("e12_bdf", {"task.hold.after=1.5", "verification={mode: open_loop, tolerance: 0.01}"});
  const Record feedback =
      ran("e12_bdf", {"task.hold.after=1.5", "verification={mode: feedback, tolerance: 0.01}"});
  EXPECT_EQ(feedback.verification->status, Status::solved) << feedback.verification->message;
  EXPECT_LT(*feedback.verification->max_tool_error_m,
            *open.verification->max_tool_error_m / 3);  // m; errors no longer grow
}

TEST(Verification, angles_are_reported_in_radians) {
  const Record record = ran("flexible_joint");
  EXPECT_FALSE(record.verification->max_tool_error_m.has_value());
  ASSERT_TRUE(record.verification->max_orientation_error_rad.has_value());
  EXPECT_LT(*record.verification->max_orientation_error_rad,
            1e-4);  // rad; linear torque between 4 ms samples
}

TEST(Run, a_method_is_chosen_when_none_is_given) {
  for (const char* example : {"e12_bdf", "two_cars", "rigid_2r"}) {
    Job job = example_job(example);
    job.method.reset();
    const Record record = run(job);
    EXPECT_EQ(record.exit_code(), ExitCode::success)
        << example << " " << record.verification->message;
  }
}

TEST(Run, a_joint_that_leaves_its_range_is_named) {
  const Record record = ran("e12_bdf", {"robot.links.fore.joint.range=[0, 0.5]"});
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_TRUE(record.warnings[0].starts_with("joint 'fore' leaves its range: "))
      << record.warnings[0];
  EXPECT_TRUE(ran("e12_bdf").warnings.empty());
}

TEST(Run, a_step_so_small_that_rounding_spoils_the_torque_is_named) {
  const Record noisy =
      run(example_job("e12_bdf", {"method={bdf: {order: 6, step: 1e-5}}"}), Until::solved);
  ASSERT_EQ(noisy.warnings.size(), 2u);
  EXPECT_TRUE(noisy.warnings[0].starts_with("the torque of 'upper' carries noise of "))
      << noisy.warnings[0];
  EXPECT_NE(noisy.warnings[0].find("at a step of 1e-05 s; use a larger one"), std::string::npos)
      << noisy.warnings[0];
}

// A step of a thirtieth of the motion is rough for another reason.
TEST(Run, a_step_that_is_too_long_is_not_blamed_on_rounding) {
  for (const char* step : {"0.01", "0.03"}) {
    const Record rough =
        run(example_job("e12_bdf", {std::string("method.bdf.step=") + step}), Until::solved);
    ASSERT_EQ(rough.warnings.size(), 2u) << step;
    EXPECT_TRUE(rough.warnings[0].starts_with("the torque of 'upper' is rough by "))
        << rough.warnings[0];
    EXPECT_TRUE(rough.warnings[0].ends_with(" s is too long for it; use a smaller one"))
        << rough.warnings[0];
  }
}

TEST(Run, noise_is_told_from_what_steps_do_not_resolve) {
  Random random(1);
  const Vector white = random.vector(400, 3);
  EXPECT_TRUE(is_rounding(white));
  for (const double samples : {4.0, 8.0, 30.0}) {
    Vector wave(400);
    for (int i = 0; i < 400; ++i) wave[i] = std::sin(2 * std::numbers::pi * (i + 0.3) / samples);
    EXPECT_FALSE(is_rounding(wave)) << samples;
  }
}

TEST(Run, noise_is_measured) {
  Vector u(2000);
  for (int i = 0; i < 2000; ++i)
    u[i] = 1e5 * std::sin(0.01 * i) + (i % 2 ? 3 : -3) * (i % 7 ? 1 : 0.5);
  EXPECT_GT(torque_noise(u),
            3);  // a saw of 3 has the largest differences of all noises of that size
  EXPECT_LT(torque_noise(u), 10);  // 64 * 3 / sqrt(924) = 6.3
}

TEST(Run, two_runs_give_the_same_numbers) {
  const Record a = ran("e12_bdf"), b = ran("e12_bdf");
  EXPECT_EQ(a.solution.u, b.solution.u);
  EXPECT_EQ(a.verification->y, b.verification->y);
}

TEST(Run, can_be_interrupted) {
  const Record record =
      run(example_job("e12_bdf"), Until::verified, [](const char*, double) { return false; });
  EXPECT_EQ(record.solution.status, Status::interrupted);
  EXPECT_EQ(record.exit_code(), ExitCode::interrupted);
}

}  // namespace
}  // namespace tauflex
