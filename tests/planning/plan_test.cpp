// Questions as they are posed and as they are planned.
#include "tauflex/planning/plan.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"

namespace tauflex {
namespace {

TEST(Pose, looks_at_the_question_once) {
  const Posed posed = pose(example_job("e12_bdf"));
  EXPECT_EQ(posed.points.size(), 9u);
  EXPECT_EQ(posed.diagnosis.differential_index, 4);
  EXPECT_TRUE(std::holds_alternative<BdfOptions>(posed.method));  // as the job asks
  EXPECT_FALSE(posed.unsolvable);
  EXPECT_NO_THROW(posed.require_solvable());
}

TEST(Pose, chooses_where_the_job_does_not_ask) {
  Job job = example_job("e12_bdf");
  job.method.reset();
  EXPECT_TRUE(std::holds_alternative<JetOptions>(pose(job).method));
}

TEST(Pose, says_why_there_is_no_answer) {
  const Posed posed = pose(example_job("e12_bdf", {"task.path.profile=polynomial5"}));
  ASSERT_TRUE(posed.unsolvable);
  try {
    posed.require_solvable();
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_EQ(error.what(), posed.problem.task().where + ": " + *posed.unsolvable);
  }
}

// Only plan() solves: pose() holds the joint that least torque moves.
TEST(Plan, moves_what_pose_holds) {
  const Job job = example_job("seven_axis", {"task.posture={least_torque: 0.1}"});
  const Posed held = pose(job), moved = plan(job);
  EXPECT_EQ(held.problem.task().outputs, moved.problem.task().outputs);
  EXPECT_EQ(held.start.q, moved.start.q);
  EXPECT_EQ(held.diagnosis.self_motion, moved.diagnosis.self_motion);
  ASSERT_EQ(held.notes.size(), 1u);
  ASSERT_EQ(moved.notes.size(), 1u);
  EXPECT_NE(held.notes[0].find("kept by holding 'link3'"), std::string::npos) << held.notes[0];
  EXPECT_NE(moved.notes[0].find("moves 'link3'"), std::string::npos) << moved.notes[0];
  const auto travel = [](const Posed& posed) {
    const double end = posed.problem.path().duration();
    Matrix from(7, 1), to(7, 1);
    posed.problem.path().derivatives(0, from);
    posed.problem.path().derivatives(end, to);
    return Vector(to - from);
  };
  EXPECT_EQ(travel(held)[6], 0);
  EXPECT_GT(std::abs(travel(moved)[6]), 0.01);  // rad
  EXPECT_EQ(travel(held).head(6), travel(moved).head(6));
}

TEST(Plan, bends_the_path_and_keeps_the_start) {
  const Job job = example_job("e12_bdf", {"task.shape=rest"});
  const Posed straight = pose(job), bent = plan(job);
  EXPECT_TRUE(straight.notes.empty());
  ASSERT_EQ(bent.notes.size(), 1u);
  EXPECT_EQ(straight.start.q, bent.start.q);
  const double half = straight.problem.path().duration() / 2;
  Matrix a(2, 1), b(2, 1);
  straight.problem.path().derivatives(half, a);
  bent.problem.path().derivatives(half, b);
  EXPECT_GT((a - b).norm(), 1e-6);  // m
}

TEST(Plan, leaves_questions_without_an_answer_alone) {
  const Posed posed =
      plan(example_job("e12_bdf", {"task.shape=rest", "task.path.profile=polynomial5"}));
  ASSERT_TRUE(posed.unsolvable);
  EXPECT_NE(posed.unsolvable->find("jumps at t = 0 s"), std::string::npos) << *posed.unsolvable;
  EXPECT_TRUE(posed.notes.empty());
}

}  // namespace
}  // namespace tauflex
