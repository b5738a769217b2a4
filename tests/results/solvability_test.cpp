// Can it be solved, how, and why not: verdicts in words, with names and times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/report/solvability_text.hpp"
#include "tauflex/results/analyze.hpp"
#include "tauflex/results/record_json.hpp"

namespace tauflex {
namespace {

Solvability verdict_on(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return analyze(example_job(name, overrides));
}

bool says(const std::vector<std::string>& sentences, const std::string& part) {
  for (const std::string& sentence : sentences)
    if (sentence.find(part) != std::string::npos) return true;
  return false;
}

TEST(Solvability, e12_yes_and_how) {
  const Solvability s = verdict_on("e12_bdf");
  EXPECT_TRUE(s.solvable);
  EXPECT_EQ(s.verdict,
            "Solvable. The torque depends on the 3rd derivative of the path; yours has 5. Four "
            "internal states, stable everywhere. Use: bdf, order 3, step 0.5 ms.");
  EXPECT_EQ(s.on_solution.size(), 5u);
  for (const IndexAtPoint& point : s.on_solution) {
    EXPECT_EQ(point.differential_index, 3);
    EXPECT_EQ(point.strangeness_index, 2);
    EXPECT_EQ(point.algebraic_count, 6);
  }
  EXPECT_EQ(s.diagnosis->index.points.size(), 9u);
  EXPECT_TRUE(s.notes.empty());
  EXPECT_TRUE(s.changes.empty());
}

TEST(Solvability, rigid_and_flat_robots) {
  const Solvability rigid = verdict_on("rigid_2r");
  EXPECT_TRUE(rigid.solvable);
  EXPECT_NE(rigid.verdict.find("2nd derivative"), std::string::npos) << rigid.verdict;
  EXPECT_NE(rigid.verdict.find("No internal states"), std::string::npos);
  const Solvability flat = verdict_on("two_cars");
  EXPECT_TRUE(flat.solvable);
  EXPECT_NE(flat.verdict.find("4th derivative"), std::string::npos) << flat.verdict;
  EXPECT_NE(flat.verdict.find("No internal states"), std::string::npos);
  EXPECT_TRUE(says(flat.notes, "cancel"));  // structure says less
}

TEST(Solvability, constrained_robots_with_elastic_drives) {
  for (const auto& [name, overrides] :
       {std::pair<const char*, std::vector<std::string>>{
            "four_bar",
            {"robot.links.crank.drive={rotor_inertia: 2e-4, gear_ratio: 50, stiffness: 2000, "
             "damping: 5}"}},
        {"polishing", {}},
        {"delta_robot_elastic", {}}}) {
    const Solvability s = verdict_on(name, overrides);
    EXPECT_TRUE(s.solvable) << name << ": " << s.verdict;
    EXPECT_EQ(s.diagnosis->differential_index, 4) << name;
    EXPECT_EQ(s.diagnosis->index.points.front().differential_index, 3) << name;
    EXPECT_NE(s.verdict.find("stable everywhere"), std::string::npos) << s.verdict;
  }
}

TEST(Solvability, too_few_drives) {
  const Solvability s =
      verdict_on("e12_bdf", {"task.outputs=[tool.x, tool.z, hand]",
                             "task.path.line={from: [2.146, -0.345, 0], to: [1.146, 1.645, 0]}"});
  EXPECT_FALSE(s.solvable);
  EXPECT_EQ(s.verdict.substr(0, 22), "Not solvable as posed:");
  EXPECT_NE(s.verdict.find("drive"), std::string::npos) << s.verdict;
}

TEST(Solvability, an_undamped_joint_is_named_with_its_time) {
  const Solvability s = verdict_on("e12_bdf", {"robot.links.hand.spring.damping=0"});
  EXPECT_TRUE(s.solvable);
  EXPECT_NE(s.verdict.find("not all of them are damped"), std::string::npos) << s.verdict;
  ASSERT_TRUE(says(s.notes, "'hand'"));
  EXPECT_TRUE(says(s.notes, "t = 0 s: "));
  EXPECT_TRUE(says(s.notes, "never decays"));
}

TEST(Solvability, a_path_that_is_not_smooth_enough) {
  const Solvability s = verdict_on("e12_bdf", {"task.path.profile=polynomial5"});
  EXPECT_FALSE(s.solvable);
  EXPECT_EQ(s.path_smoothness, 2);
  EXPECT_NE(s.verdict.find("the 3rd derivative of 'tool.z' jumps at t = 0 s"), std::string::npos)
      << s.verdict;
  EXPECT_TRUE(says(s.changes, "polynomial7"));
}

TEST(Solvability, a_robot_that_bends_the_wrong_way) {
  const Solvability s = verdict_on("e12_bdf", {"robot.links.hand.inertia.yy=1"});
  EXPECT_FALSE(s.solvable);
  EXPECT_NE(s.verdict.find("not minimum phase"), std::string::npos);
  EXPECT_TRUE(says(s.changes, "centre of percussion"));
}

// A parallelogram that passes through the position where all bars are in one line.
TEST(Solvability, a_loop_that_loses_rank_is_named_with_its_time) {
  const Job job = read_job(Node::read_text(R"(
tauflex: 1
robot:
  links:
    - {name: crank, joint: {parent: world, type: revolute, axis: y}, drive: {}, mass: 1, com: [0.15, 0, 0], inertia: {yy: 0.01}}
    - {name: coupler, joint: {parent: crank, at: [0.3, 0, 0], type: revolute, axis: y}, mass: 1, com: [0.25, 0, 0], inertia: {yy: 0.02}}
    - {name: rocker, joint: {parent: world, at: [0.5, 0, 0], type: revolute, axis: y}, mass: 1, com: [0.15, 0, 0], inertia: {yy: 0.01}}
  frames:
    a: {link: coupler, at: [0.5, 0, 0]}
    b: {link: rocker, at: [0.3, 0, 0]}
  constraints:
    - {name: loop, closure: {frames: [a, b], locked: [x, z]}}
task:
  outputs: [crank]
  path: {line: {from: [-0.7], to: [0.7]}, duration: 1, profile: polynomial9}
  start: {near: {crank: -0.7, coupler: 0.7, rocker: -0.7}}
)",
                                           "parallelogram.yaml"),
                           "parallelogram");
  const Solvability s = analyze(job);
  EXPECT_FALSE(s.solvable);
  ASSERT_EQ(s.rank_losses.size(), 1u);
  EXPECT_NEAR(s.rank_losses[0].t, 0.5, 1e-5);  // where the crank is at 0
  EXPECT_EQ(s.rank_losses[0].row, "constraint loop.x");
  EXPECT_NE(s.verdict.find("t = 0.5 s: 'constraint loop.x'"), std::string::npos) << s.verdict;
  EXPECT_TRUE(says(s.changes, "t = 0.5 s"));
}

TEST(Solvability, structure_of_industrial_arms) {
  for (const char* name : {"six_axis_elastic", "moberg_8dof"}) {
    const Posed posed = pose(example_job(name));
    const IndexReport& index = posed.diagnosis.index;
    ASSERT_TRUE(index.available) << name;
    EXPECT_EQ(index.points.front().differential_index, 3) << name;
    EXPECT_EQ(index.structural_index, 3) << name;
    // the joints together, then two blocks for every rotor
    EXPECT_EQ(index.blocks.size(), 1 + 2 * posed.problem.robot().actuation().drives.size()) << name;
  }
}

TEST(Solvability, as_text_and_json) {
  const Job job = example_job("e12_bdf");
  const Solvability s = analyze(job);
  const std::string text = solvability_text("e12_bdf", s);
  EXPECT_EQ(text.find("e12_bdf: Solvable."), 0u);
  for (const char* part : {"strangeness index 2", "6: ", "4: ", "blocks", "zeros"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const auto json = nlohmann::json::parse(solvability_json(job, s));
  EXPECT_EQ(json.at("solvable"), true);
  EXPECT_EQ(json.at("diagnosis").at("strangeness_index"), 2);
  EXPECT_EQ(json.at("diagnosis").at("reduced_index"), 3);
  EXPECT_EQ(json.at("diagnosis").at("differential_index"), 4);
  EXPECT_EQ(json.at("diagnosis").at("structural_index"), 3);
  EXPECT_EQ(json.at("diagnosis").at("algebraic").size(), 6u);
  EXPECT_EQ(json.at("diagnosis").at("differential").size(), 4u);
  EXPECT_EQ(json.at("on_solution").size(), 5u);
}

// [Tsujita et al.]: M^(2) is indefinite and the initial value problem has no use. A robot of
// minimum phase has no such line.
TEST(Solvability, says_why_an_initial_value_problem_is_ill_posed) {
  const Solvability s = verdict_on("tsujita");
  ASSERT_TRUE(s.initial_value && s.initial_value->inertia);
  EXPECT_EQ(s.initial_value->inertia->count, 5);
  EXPECT_GT(s.initial_value->inertia->negative, 0);
  EXPECT_LT(s.initial_value->inertia->negative, 5);
  EXPECT_GT(s.initial_value->log_growth, 16);  // more than any number of digits
  EXPECT_NE(solvability_text("tsujita", s).find("the initial value problem is ill-posed"),
            std::string::npos);
  EXPECT_FALSE(verdict_on("e12").initial_value);
  // a light hand: one passive joint, its mass is negative
  const Solvability light = verdict_on("e12_nonminimum");
  ASSERT_TRUE(light.initial_value && light.initial_value->inertia);
  EXPECT_EQ(light.initial_value->inertia->negative, 1);
}

// Law: inertias have the same signs in any unit of length, whichever joint is integrated.
TEST(Solvability, signs_of_inertias_know_no_units) {
  for (const double length : {0.1, 1.0, 10.0}) {
    const auto scaled = [&](double x) { return fmt::format("{}", length * x); };
    const Job job =
        read_job(TAUFLEX_SOURCE_DIR "/tests/cases/crane.yaml",
                 {"robot.links.pole.com=[0, 0, " + scaled(-0.5) + "]",
                  "robot.links.pole.inertia.yy=" + fmt::format("{}", 0.1 * length * length),
                  "robot.frames.tip.at=[0, 0, " + scaled(-1) + "]"});
    const Posed posed = pose(job);
    const auto inertia = internal_inertia(posed.problem, posed.start);
    ASSERT_TRUE(inertia) << length;
    // M_p T = j + m c^2 - m c l, held at the tip: 0.1 + 2 (0.25 - 0.5) < 0
    EXPECT_EQ(inertia->negative, 1) << length;
    EXPECT_EQ(inertia->count, 1);
  }
}

}  // namespace
}  // namespace tauflex
