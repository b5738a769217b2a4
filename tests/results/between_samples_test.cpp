// What happens between two samples is seen: motions of the path, of the tool, and peaks of torques.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "example_jobs.hpp"
#include "job_texts.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/problem/path_pieces.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/record_limits.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

std::string slider(const std::string& path, double limit, const std::string& drive = "") {
  return fmt::format(
      "robot:\n"
      "  gravity: [0, 0, 0]\n"
      "  links:\n"
      "    - name: a\n"
      "      joint: {{parent: world, type: prismatic, axis: x}}\n"
      "      drive: {{rotor_inertia: 1, limits: {{torque: {}}}{}}}\n"
      "      mass: 1\n"
      "  frames: {{tool: {{link: a}}}}\n"
      "task:\n"
      "  outputs: [tool.x]\n"
      "  path:\n{}",
      limit, drive, path);
}

// Moves of 0.5 m and 0.5 s, there and back.
std::string shuttle(int moves, const std::string& drive = "") {
  std::string path = "    - {line: {from: [0], to: [0.5]}, duration: 0.5}\n";
  for (int i = 1; i < moves; ++i)
    path += fmt::format("    - {{line: {{to: [{}]}}, duration: 0.5}}\n", i % 2 ? "0" : "0.5");
  return slider(path, 20, drive);
}

// One move of 2 s in 1000 s.
std::string blink() {
  return slider(
      "    - {line: {from: [0], to: [0]}, duration: 20}\n"
      "    - {hold: 500.1}\n"
      "    - {line: {to: [0.5]}, duration: 1}\n"
      "    - {line: {to: [0]}, duration: 1}\n"
      "    - {hold: 477.9}\n",
      2);
}

// 20 mm out and back in 0.6 ms.
std::string blip() {
  return slider(
      "    - {line: {from: [0], to: [0.5]}, duration: 0.5}\n"
      "    - {hold: 0.0002}\n"
      "    - {line: {to: [0.52]}, duration: 0.0003}\n"
      "    - {line: {to: [0.5]}, duration: 0.0003}\n"
      "    - {hold: 0.4992}\n",
      200);
}

Job with(const std::string& text, const std::vector<std::string>& overrides) {
  return read_job(Node::read_text("tauflex: 1\n" + text, "job.yaml"), "job", overrides);
}

Record verified(const Job& job, const std::string& csv) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "table.csv";
  std::ofstream(path) << csv;
  const Posed posed = pose(job);
  return verify_table(job, posed, read_trajectory(path, posed.problem));
}

class StandingStill : public testing::TestWithParam<const char*> {};

// Every sample of these steps, and of half of them, finds the slider where it began.
TEST_P(StandingStill, is_not_a_motion_between_samples) {
  const bool rigid = std::string(GetParam()).find("exact") != std::string::npos;
  const Record record = run(with(shuttle(800, rigid ? "" : ", stiffness: 1e5, damping: 100"),
                                 {std::string("method=") + GetParam()}));
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed) << text_summary(record);
  if (!record.verification) return;
  EXPECT_NEAR(*record.verification->standing_still.length, 0.5, 1e-12);  // m, the move
  EXPECT_NEAR(*record.verification->max_tool_error_m, 0.5, 1e-6);        // m; it hardly moves
  ASSERT_FALSE(record.warnings.empty());
  EXPECT_TRUE(record.warnings.back().ends_with("take a step of at most 0.062 s"))
      << record.warnings.back();
}
INSTANTIATE_TEST_SUITE_P(Methods, StandingStill,
                         testing::Values("{exact: {step: 1}}", "{bdf: {step: 2}}",
                                         "{decoupled: {step: 2}}"));

TEST(BetweenSamples, no_torque_proves_no_motion) {
  EXPECT_EQ(verified(job_of(shuttle(800)), "t,u.a\n0,0\n400,0\n").exit_code(),
            ExitCode::proof_missed);
  EXPECT_EQ(verified(job_of(blink()), "t,u.a\n0,0\n1000,0\n").exit_code(), ExitCode::proof_missed);
}

// The default step shows each piece of the path, and the limit that the true torques exceed.
TEST(BetweenSamples, the_default_step_is_short_enough) {
  const Record record = run(job_of(blip()));
  EXPECT_LE(record.solution.step, 0.0003 / parts_per_piece);
  EXPECT_EQ(limit_state(record.limits), LimitState::exceeded);
  // N: the acceleration of a line of degree 11 is about 10.1 times distance / duration^2, 2 kg
  EXPECT_GT(std::abs(record.limits.front().value), 4e6);
  // m; linear torques between samples carry it away, which the whole path shows
  EXPECT_EQ(run(job_of(shuttle(4))).exit_code(), ExitCode::success);
}

TEST(BetweenSamples, a_step_of_ones_own_is_kept_and_said_to_be_too_long) {
  const Record record = run(with(blip(), {"method={exact: {step: 0.001}}"}));
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed);
  EXPECT_NEAR(*record.verification->max_tool_error_m, 0.02, 1e-3);  // m, the motion that is missed
  ASSERT_FALSE(record.warnings.empty());
  EXPECT_TRUE(record.warnings.back().ends_with("take a step of at most 3.7e-05 s"))
      << record.warnings.back();
}

TEST(BetweenSamples, half_periods_of_a_sine_are_pieces) {
  // samples 1 ms apart find a sine of 1 kHz at rest
  const std::string sine =
      "    {sine: {center: [0], amplitude: [0.01], frequency: 1000}, duration: 1}\n";
  const Job job = job_of(slider(sine, 1e9));
  const InverseProblem problem(Robot(job.robot), job.task);
  const auto skipped = skipped_piece(problem, 1e-3);
  ASSERT_TRUE(skipped);
  // m: the cubic through values and rates is off 0 too, so this is less than the amplitude
  EXPECT_GT(skipped->distance, 0.004);
  EXPECT_FALSE(skipped_piece(problem, 1e-4));
  EXPECT_EQ(path_times(problem).size(), 2000u * parts_per_piece + 1);
}

// The number of measurements follows the pieces of the path, not the shortest of them.
TEST(BetweenSamples, times_of_a_path_are_a_few_for_each_piece) {
  EXPECT_EQ(path_times(pose(job_of(shuttle(100))).problem).size(), 100u * parts_per_piece + 1);
  EXPECT_EQ(path_times(pose(job_of(blip())).problem).size(), 5u * parts_per_piece + 1);
}

// 64.3 kN m in the samples of this step, 136 kN m are sent.
TEST(BetweenSamples, limits_are_those_of_torques_at_all_times) {
  const Record record =
      run(example_job("e12", {"robot.links.upper.drive.limits={torque: 1.2e5}",
                              "verification.torque=exact", "method={jets: {step: 0.1}}"}));
  const LimitMargin& margin = record.limits.front();
  EXPECT_EQ(limit_state(record.limits), LimitState::exceeded);
  EXPECT_NEAR(std::abs(margin.value), 136.2e3, 1e3);  // N m; 136.2 in steps of 0.3 ms
  EXPECT_EQ(sent_motion_text(record), "the torques at all times");
}

TEST(BetweenSamples, a_table_much_longer_than_the_task_is_refused_with_its_size) {
  const Job job = job_of(slider("    - {line: {from: [0], to: [0.0009]}, duration: 0.1}\n", 1e3));
  for (const char* csv : {"t,u.a\n0,0\n1e5,0\n", "t,u.a\n0,0\n1e9,0\n", "t,u.a\n-1e7,0\n1,0\n"}) {
    try {
      verified(job, csv);
      ADD_FAILURE() << csv;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("samples"), std::string::npos) << error.what();
    }
  }
}

// x moves 1 m, y 0.9 mm: 1 mm for both would prove any motion of y.
TEST(BetweenSamples, each_output_is_met_to_a_tenth_of_its_own_motion) {
  const std::string text =
      "robot:\n"
      "  gravity: [0, 0, 0]\n"
      "  links:\n"
      "    - {name: a, joint: {parent: world, type: prismatic, axis: x}, mass: 1,\n"
      "       drive: {rotor_inertia: 1}}\n"
      "    - {name: b, joint: {parent: a, type: prismatic, axis: y}, mass: 1,\n"
      "       drive: {rotor_inertia: 1}}\n"
      "  frames: {tool: {link: b}}\n"
      "task:\n"
      "  outputs: [tool.x, tool.y]\n"
      "  path: {line: {from: [0, 0], to: [1, 0.0009]}, duration: 0.5}\n";
  const Job job = job_of(text);
  const Posed posed = pose(job);
  Solution solution = solve(posed.problem, posed.start, ExactOptions{});
  EXPECT_EQ(prove(posed.plant, posed.problem, solution, job.verification).status, Status::solved);
  solution.u.row(1).setZero();
  VerificationOptions options = job.verification;
  const Verification proof = verify(posed.plant, posed.problem, solution, options);
  EXPECT_EQ(proof.status, Status::missed);
  EXPECT_NE(proof.doubt.find("output 'tool.y' is off by 0.0009 m, 100 % of the 0.0009 m"),
            std::string::npos)
      << proof.doubt;
  options.tolerance = 1e-3;  // asked for
  EXPECT_EQ(verify(posed.plant, posed.problem, solution, options).status, Status::solved);
}

}  // namespace
}  // namespace tauflex
