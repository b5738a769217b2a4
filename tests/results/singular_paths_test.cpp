// Paths through singular poses, and steps that would change the branch, stop with time and pose.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

std::string ending(const Job& job, ExitCode expected) {
  const Record record = run(job, Until::solved);
  EXPECT_EQ(record.exit_code(), expected);
  return record.solution.message;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const char* const methods[] = {"bdf: {order: 4}",
                               "bdf: {order: 4, form: monolithic}",
                               "bdf: {order: 4, form: index1}",
                               "exact: {}",
                               "jets: {}",
                               "decoupled: {}",
                               "kunkel_mehrmann: {}",
                               "variable_step: {}"};

class EveryMethod : public testing::TestWithParam<const char*> {};

// Straight out to 0.9 m, the length of both links, and back.
TEST_P(EveryMethod, stops_at_a_stretched_arm) {
  const Job job = example_job(
      "rigid_2r",
      {"task.path=[{line: {from: [0.7, 0], to: [0.9, 0]}, duration: 0.5, profile: polynomial9}, "
       "{line: {to: [0.7, 0]}, duration: 0.5, profile: polynomial9}]",
       std::string("method={") + GetParam() + "}"});
  const std::string text = ending(job, ExitCode::not_solvable);
  EXPECT_TRUE(says(text, "t = 0.5 s") || says(text, "t = 0.49") || says(text, "t = 0.50")) << text;
  EXPECT_TRUE(says(text, "singular pose at upper = ")) << text;
  EXPECT_TRUE(says(text, "fore = ")) << text;
}

// 0.1 m farther than it reaches.
TEST_P(EveryMethod, stops_at_the_end_of_its_reach) {
  const Job job = example_job(
      "rigid_2r",
      {"task.path={line: {from: [0.7, 0], to: [1, 0]}, duration: 1, profile: polynomial9}",
       std::string("method={") + GetParam() + "}"});
  const std::string text = ending(job, ExitCode::not_solvable);
  // polynomial9 is at 2/3 of the line at t = 0.569483 s
  EXPECT_TRUE(says(text, "t = 0.569483 s")) << text;
  EXPECT_TRUE(says(text, "upper = ") && says(text, "fore = ")) << text;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(methods));

TEST(SingularPaths, an_elastic_arm_that_stretches) {
  const Job job = example_job(
      "e12_bdf",
      {"task.path={line: {from: [2.146, -0.345], to: [2.3, 0.5]}, duration: 0.5, profile: "
       "polynomial11}"});
  const std::string text = ending(job, ExitCode::not_solvable);
  EXPECT_TRUE(says(text, "end of what the robot can reach, at upper = ")) << text;
  EXPECT_TRUE(says(text, "hand = ")) << text;
}

// Out to 0.85 m and back, never stretched: at 50 ms the prediction carries bdf across, and its
// motion goes on with the elbow on the other side. The step decides, not the path.
TEST(SingularPaths, an_elbow_that_would_flip) {
  const auto job = [](const std::string& method) {
    return example_job(
        "rigid_2r",
        {"task.path=[{line: {from: [0.5, 0], to: [0.85, 0]}, duration: 0.3, profile: polynomial9}, "
         "{line: {to: [0.5, 0]}, duration: 0.3, profile: polynomial9}]",
         "method={bdf: " + method + "}"});
  };
  const std::string text = ending(job("{order: 4, step: 0.05}"), ExitCode::not_converged);
  EXPECT_TRUE(says(text,
                   "jumps to another branch between t = 0.35 s, at upper = 0.307341, fore = "
                   "-0.695144, and t = 0.4 s, at upper = -0.4229"))
      << text;
  const Record fine = run(job("{order: 4, step: 0.002}"));
  EXPECT_EQ(fine.exit_code(), ExitCode::success);
  EXPECT_GT(fine.regularity->outputs.value, 0.05);
  EXPECT_NEAR(fine.regularity->outputs.t, 0.3, 1e-3);  // s; the farthest point, between samples
}

// What any solver might return: watched without asking which.
class WatchedMotion : public testing::Test {
 protected:
  WatchedMotion() : posed_(pose(example_job("rigid_2r"))) {
    solution_ = solve(posed_.problem, posed_.start, ExactOptions{.step = 1e-3});
  }
  Posed posed_;
  Solution solution_;
};

TEST_F(WatchedMotion, a_jump_by_whole_turns_is_seen) {
  for (Eigen::Index i = 500; i < solution_.t.size(); ++i) solution_.q(1, i) += 2 * M_PI;
  watch_branch(posed_.problem, solution_);
  EXPECT_EQ(solution_.status, Status::not_converged);
  EXPECT_TRUE(says(solution_.message, "between t = 0.499 s, at upper = ")) << solution_.message;
  EXPECT_EQ(solution_.t.size(), 500);
  EXPECT_EQ(solution_.u.cols(), 500);
}

// Both solutions of the inverse kinematics satisfy the outputs; only the branch differs.
TEST_F(WatchedMotion, a_flip_with_perfect_outputs_is_seen) {
  for (Eigen::Index i = 500; i < solution_.t.size(); ++i) {
    const double fore = solution_.q(1, i);
    const double lean = 2 * std::atan2(0.4 * std::sin(fore), 0.5 + 0.4 * std::cos(fore));
    solution_.q(0, i) += lean;
    solution_.q(1, i) = -fore;
  }
  watch_branch(posed_.problem, solution_);
  EXPECT_EQ(solution_.status, Status::not_converged);
  EXPECT_TRUE(says(solution_.message, "jumps to another branch between t = 0.499 s"))
      << solution_.message;
}

TEST_F(WatchedMotion, a_good_motion_is_left_alone) {
  const Matrix q = solution_.q;
  const MotionRegularity found = watch_branch(posed_.problem, solution_);
  EXPECT_EQ(solution_.status, Status::solved);
  EXPECT_EQ(solution_.q, q);
  EXPECT_EQ(found.stop, -1);
  EXPECT_NEAR(found.outputs.value, 0.30, 0.01);  // closed form of tests/analysis
}

// Samples that are as far apart as a user likes say nothing about jumps, where the motion is known
// between them: half of the path lies between two samples.
TEST(WatchedMotions, a_coarse_step_of_the_output_is_no_jump) {
  const Posed posed = pose(example_job("e12"));
  Solution coarse = solve(posed.problem, posed.start, JetOptions{.step = 0.15});
  ASSERT_EQ(coarse.status, Status::solved) << coarse.message;
  const MotionRegularity found = watch_branch(posed.problem, coarse);
  ASSERT_EQ(coarse.status, Status::solved) << coarse.message;
  EXPECT_EQ(found.stop, -1);
  // a motion that ends on another branch than the one that it is on between its samples
  coarse.q(1, 1) += 2 * M_PI;
  watch_branch(posed.problem, coarse);
  EXPECT_EQ(coarse.status, Status::not_converged);
  EXPECT_TRUE(says(coarse.message, "between t = 0 s, at upper = ")) << coarse.message;
}

// A joint motion that is smooth and passes the stretched pose: no jump, no answer either.
TEST_F(WatchedMotion, a_smooth_way_through_a_stretched_arm_is_no_jump) {
  Job job = example_job("rigid_2r", {"task.outputs=[upper, fore]",
                                     "task.path={line: {from: [0.2, -0.5], to: [0.3, 0.5]}, "
                                     "duration: 1, profile: polynomial9}"});
  const Posed joints = pose(job);
  const Solution through = solve(joints.problem, joints.start, ExactOptions{.step = 1e-3});
  const MotionRegularity found = regularity_along(joints.problem, through.t, through.q, through.v);
  EXPECT_EQ(found.stop, -1);  // joints as outputs are never singular
  EXPECT_EQ(found.outputs.value, 1);
}

TEST(SingularPaths, the_record_names_the_closest_pose) {
  const std::string json = record_json(run(example_job("rigid_2r"), Until::solved));
  EXPECT_TRUE(says(json, "\"singularity\": {\n      \"smallest\": 0.296")) << json;
  EXPECT_TRUE(says(json, "\"pose\": {\n        \"upper\": 0.866")) << json;
}

}  // namespace
}  // namespace tauflex
