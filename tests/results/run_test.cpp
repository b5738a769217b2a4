// The pipeline: by hand and by run() the same, windows included; a question without an answer ends
// with a status, and check, analyze and run say the same of it.
#include "tauflex/results/run.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/failures.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/record_json.hpp"

namespace tauflex {
namespace {

class NotMinimumPhase : public testing::TestWithParam<const char*> {};

// Torques that begin with the path miss it by 21 mm and 1.3 mm.
TEST_P(NotMinimumPhase, is_proved_by_hand) {
  const Job job = example_job(GetParam());
  const Posed posed = pose(job);
  const Solution solution = solve(posed.problem, posed.start, posed.method);
  ASSERT_EQ(solution.status, Status::solved) << solution.message;
  EXPECT_GT(solution.window.hold_before, 0.01);  // s
  EXPECT_EQ(solution.t[0], -solution.window.hold_before);
  const Verification proof = verify(posed.plant, posed.problem, solution, job.verification);
  EXPECT_EQ(proof.status, Status::solved) << proof.message;

  const Record record = run(job);
  EXPECT_EQ(record.solution.u, solution.u);
  EXPECT_EQ(record.job.task.hold_before, solution.window.hold_before);
  EXPECT_EQ(record.verification->max_tool_error_m, proof.max_tool_error_m);
}

INSTANTIATE_TEST_SUITE_P(Examples, NotMinimumPhase, testing::Values("e12_nonminimum", "whip"));

// A window that is wide enough is left as it is.
TEST(Window, is_widened_once) {
  const Posed posed = pose(example_job("e12_nonminimum"));
  const Solution once = solve(posed.problem, posed.start, posed.method);
  const Solution twice = solve(posed.problem.with_window(once.window), posed.start, posed.method);
  EXPECT_EQ(twice.window.hold_before, once.window.hold_before);
  EXPECT_EQ(twice.window.hold_after, once.window.hold_after);
  EXPECT_EQ(twice.t, once.t);
}

TEST(Window, is_that_of_the_task_for_causal_methods) {
  const Posed posed = pose(example_job("e12_bdf", {"task.hold={before: 0.05, after: 0.1}"}));
  const Solution s = solve(posed.problem, posed.start, BdfOptions{.order = 3, .step = 1e-3});
  EXPECT_EQ(s.window.hold_before, 0.05);
  EXPECT_EQ(s.window.hold_after, 0.1);
}

struct Question {
  const char* why;
  const char* example;
  std::vector<std::string> overrides;
  const char* sentence;
};

std::ostream& operator<<(std::ostream& out, const Question& question) {
  return out << question.why;
}

class WithoutAnAnswer : public testing::TestWithParam<Question> {};

TEST_P(WithoutAnAnswer, ends_with_a_status) {
  const Job job = example_job(GetParam().example, GetParam().overrides);
  const Record record = run(job);
  const std::string& why = record.solution.message;
  EXPECT_EQ(record.solution.status, Status::not_solvable);
  EXPECT_EQ(record.exit_code(), ExitCode::not_solvable);
  EXPECT_FALSE(record.has_motion());
  EXPECT_FALSE(record.verification);
  EXPECT_NE(why.find(GetParam().sentence), std::string::npos) << why;
  // it can be written down
  EXPECT_NE(record_json(record).find("\"status\": \"not_solvable\""), std::string::npos);
  EXPECT_NE(text_summary(record).find(GetParam().sentence), std::string::npos);
  EXPECT_NE(plain_report(record).find("no answer"), std::string::npos);
}

TEST_P(WithoutAnAnswer, is_one_verdict) {
  const Job job = example_job(GetParam().example, GetParam().overrides);
  const Solvability s = analyze(job);
  EXPECT_FALSE(s.solvable);
  const std::string why = run(job).solution.message;
  const std::string reason =
      s.verdict.substr(std::string("Not solvable as posed: ").size(), std::string::npos);
  EXPECT_NE((why + ".").find(reason), std::string::npos) << s.verdict << "\n" << why;
}

INSTANTIATE_TEST_SUITE_P(
    Questions, WithoutAnAnswer,
    testing::Values(
        Question{"start", "e12_bdf", {"task.path.line.from=[5, 0]"}, "cannot be reached"},
        Question{"smoothness", "e12_bdf", {"task.path.profile=polynomial5"}, "jumps at t = 0 s"},
        Question{
            "reach",
            "rigid_2r",
            {"task.path={line: {from: [0.7, 0], to: [1, 0]}, duration: 1, profile: polynomial9}"},
            "end of what the robot can reach"},
        Question{"rough_and_singular",
                 "rigid_2r",
                 {"task.path=[{line: {from: [0.7, 0], to: [0.9, 0]}, duration: 0.5, profile: "
                  "polynomial1}, {line: {to: [0.7, 0]}, duration: 0.5, profile: polynomial1}]"},
                 "smallest over largest singular value"},
        Question{"phase", "e12_nonminimum", {"method={jets: {}}"}, "not minimum phase"},
        Question{
            "method", "e12_bdf", {"method={exact: {}}"}, "the exact method needs rigid drives"}),
    [](const auto& info) { return info.param.why; });

TEST(WithoutAnAnswer, keeps_what_is_to_be_known_of_the_question) {
  const Record record = run(example_job("seven_axis", {"method={exact: {}}"}));
  EXPECT_FALSE(record.has_motion());
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_NE(record.warnings[0].find("holding 'link3'"), std::string::npos) << record.warnings[0];
}

// A proof that cannot begin takes nothing away from the torques.
TEST(Run, keeps_torques_whose_proof_has_no_answer) {
  const Job job = example_job("wrist_coupling",
                              {"controller={computed_torque: {}}", "verification.mode=feedback"});
  const Record record = run(job);
  EXPECT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_TRUE(record.has_motion());
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::not_solvable);
  EXPECT_EQ(record.exit_code(), ExitCode::not_solvable);
  ASSERT_TRUE(failure_of(record));
  EXPECT_EQ(failure_of(record)->code(), "TF-440");
  const std::string why = "computed torque does not know transmissions";
  EXPECT_NE(record.verification->message.find(why), std::string::npos);
  EXPECT_NE(record_json(record).find(why), std::string::npos);
  EXPECT_NE(text_summary(record).find(why), std::string::npos);
  EXPECT_NE(plain_report(record).find(why), std::string::npos);
  EXPECT_TRUE(record.ringing);
}

// A run of many questions goes on.
TEST(Run, throws_for_what_is_no_question_only) {
  EXPECT_THROW(run(example_job("heavy_top")), InputError);
}

}  // namespace
}  // namespace tauflex
