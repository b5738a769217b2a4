// analyze, check and run give one verdict; and when the method that was chosen fails, the next one
// that applies answers, which is said.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/answer.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/solvability_sentences.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {
namespace {

Job case_with(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(std::string(TAUFLEX_SOURCE_DIR "/tests/cases/") + name + ".yaml", overrides);
}

// A crane whose load the path sets swinging: what grows is excited, so the torques begin early,
// and as early as the zeros of +-5 per second ask.
TEST(Verdicts, a_crane_begins_before_its_path) {
  const Job job = case_with("crane");
  const Posed posed = pose(job);
  EXPECT_LT(posed.growth.exponent, 7);  // a fixed exponent left it to jets, which failed
  EXPECT_GT(posed.growth.swing, 20);
  EXPECT_TRUE(std::holds_alternative<StableInversionOptions>(posed.method));
  EXPECT_TRUE(analyze(job).solvable);
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  EXPECT_LT(record.solution.t[0], -4.6);                    // ln(1e10) / 4.952
  EXPECT_LT(*record.verification->max_tool_error_m, 1e-6);  // 0.48 um, torque linear over 1 ms
  EXPECT_TRUE(record.warnings.empty());
}

// Over so short a path what grows has no time: jets from rest, as before.
TEST(Verdicts, a_short_path_does_not_matter) {
  const Posed posed =
      pose(case_with("crane", {"task.path.duration=0.3", "task.path.line.to=[0.02]"}));
  EXPECT_FALSE(posed.diagnosis.minimum_phase);
  EXPECT_LT(posed.growth.swing, 20);
  EXPECT_TRUE(std::holds_alternative<JetOptions>(posed.method));
  EXPECT_EQ(answer(posed).solution.status, Status::solved);
}

// A path that does not excite what grows, for however long: only the slider beside the crane moves.
TEST(Verdicts, what_is_not_excited_does_not_matter) {
  Job job = case_with("crane", {"task.outputs=[tip.x, side]", "task.path.duration=3",
                                "task.path.line={from: [0, 0], to: [0, 0.3]}"});
  Link side = job.robot.links[0];
  side.name = "side";
  job.robot.links.push_back(side);
  job.plant = job.robot;
  const Posed posed = pose(job);
  EXPECT_GT(posed.growth.exponent, 14);  // 3e6 times
  EXPECT_NEAR(posed.growth.swing, 1, 1e-3);
  EXPECT_TRUE(std::holds_alternative<JetOptions>(posed.method));
  EXPECT_EQ(run(job).exit_code(), ExitCode::success);
}

// The linear estimate leaves this one to jets, whose load swings over; the bounded motion exists.
TEST(Verdicts, the_next_method_answers_and_this_is_said) {
  const Job job = case_with("crane", {"task.path.duration=0.6"});
  EXPECT_TRUE(std::holds_alternative<JetOptions>(pose(job).method));
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  ASSERT_TRUE(record.method);
  EXPECT_TRUE(std::holds_alternative<StableInversionOptions>(*record.method));
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_EQ(record.warnings[0].find("jets failed: t = "), 0u) << record.warnings[0];
  EXPECT_NE(record.warnings[0].find("; stable_inversion was taken instead"), std::string::npos);
  const Solvability verdict = analyze(job);
  EXPECT_TRUE(verdict.solvable);
  EXPECT_NE(verdict.verdict.find("Use: stable_inversion"), std::string::npos) << verdict.verdict;
}

// What the user wrote is what is done.
TEST(Verdicts, a_method_that_was_written_is_not_replaced) {
  const Job job = case_with("crane", {"task.path.duration=0.6", "method={jets: {}}"});
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::not_converged);
  EXPECT_EQ(record.solution.method, "jets");
  const Solvability verdict = analyze(job);
  EXPECT_EQ(verdict.status, Status::not_converged);
  EXPECT_EQ(verdict.verdict.find("Not solved: t = "), 0u) << verdict.verdict;
}

// No method finds a motion; difference formulas find one that is none, which does not count.
TEST(Verdicts, a_motion_that_nobody_vouches_for_does_not_count) {
  const Job job = case_with("crane", {"task.path.duration=0.3"});
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::not_converged) << record.solution.message;
  EXPECT_EQ(analyze(job).status, Status::not_converged);
}

// What grows at both ends grows slowly at one of them: four motions faster than 3 / T at the
// beginning, two at the end. A longer window makes all four count, and there is an answer.
TEST(Verdicts, slow_growth_at_one_end_asks_for_time) {
  const Record record = run(case_with("slow_growth_at_one_end"));
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  EXPECT_EQ(record.solution.method, "stable_inversion");
}

// Zeros pass through infinity along the path: decided before anything is solved, by all verbs.
TEST(Verdicts, zeros_through_infinity) {
  const Job job = case_with("zeros_through_infinity");
  const Posed posed = pose(job);
  const auto reason = no_bounded_solution(bounded_horizon(posed.problem, posed.start, {}));
  ASSERT_TRUE(reason);
  EXPECT_NE(
      reason->find("1 of the internal motions grow where the path begins and 0 where it ends"),
      std::string::npos)
      << *reason;
  // Or that the pose is singular where they do.
  ASSERT_TRUE(posed.unsolvable);
  EXPECT_THROW(posed.require_solvable(), ProblemError);  // check
  const Solvability verdict = analyze(job);
  EXPECT_FALSE(verdict.solvable);
  EXPECT_NE(verdict.verdict.find(*posed.unsolvable), std::string::npos);
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::not_solvable);
  EXPECT_NE(record.solution.message.find(*posed.unsolvable), std::string::npos);
}

// What solve() would throw is said before: a method that does not apply.
TEST(Verdicts, a_method_that_does_not_apply) {
  for (const auto& [name, method, part] :
       {std::tuple("e12_bdf", "method={exact: {}}", "the exact method needs rigid drives"),
        std::tuple("rigid_2r", "method={stable_inversion: {}}", "determine every joint; use jets"),
        std::tuple("e12_bdf", "method={bdf: {form: index5}}", "cannot be reduced to 5"),
        std::tuple("two_cars", "method={jets: {}}", "use decoupled")}) {
    const Job job = example_job(name, {method});
    const Posed posed = pose(job);
    ASSERT_TRUE(posed.unsolvable) << name << " " << method;
    EXPECT_NE(posed.unsolvable->find(part), std::string::npos) << *posed.unsolvable;
    EXPECT_EQ(analyze(job).status, Status::not_solvable);
    EXPECT_EQ(run(job).exit_code(), ExitCode::not_solvable);
  }
}

TEST(Verdicts, what_was_not_solved_is_not_called_solvable) {
  const Posed posed = pose(example_job("e12_bdf"));
  EXPECT_EQ(yes(posed, posed.method, true, 5).find("Solvable. "), 0u);
  const std::string before = yes(posed, posed.method, false, 5);
  EXPECT_EQ(before.find("Solvable"), std::string::npos) << before;
  EXPECT_NE(before.find("No obstacle was found; only solving tells"), std::string::npos) << before;
}

}  // namespace
}  // namespace tauflex
