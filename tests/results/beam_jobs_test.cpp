// Jobs with links that bend, from the file to the proof, against independent computations.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

// The torque at a time, between samples of 1 ms.
double torque_at(const Solution& solution, double t) {
  Eigen::Index i = 0;
  while (i + 2 < solution.t.size() && solution.t[i + 1] <= t) ++i;
  const double s = (t - solution.t[i]) / (solution.t[i + 1] - solution.t[i]);
  return (1 - s) * solution.u(0, i) + s * solution.u(0, i + 1);
}

TEST(BeamJobs, SingleFlexibleLinkIsThatOfAnIndependentComputation) {
  const Record record = run(example_job("single_flexible_link"));
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  const Solution& solution = record.solution;
  EXPECT_NEAR(solution.u.cwiseAbs().maxCoeff(), 0.942148, 1e-4);  // N m, of their sampled peak
  EXPECT_NEAR(torque_at(solution, 0), 0.141354, 1e-5);
  const Table table = published("single_flexible_link.csv");
  const Vector t = table.values.col(table.find("t")), tau = table.values.col(table.find("tau"));
  int compared = 0;
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    if (t[i] < solution.t[0] || t[i] > solution.t[solution.t.size() - 1]) continue;
    EXPECT_NEAR(torque_at(solution, t[i]), tau[i], 2e-6) << t[i];  // linear between samples of 1 ms
    ++compared;
  }
  EXPECT_GT(compared, 90);
  // the link bends far more than linear theory is good for, which the user is told
  ASSERT_FALSE(record.warnings.empty());
  EXPECT_EQ(record.warnings[0].substr(0, 28), "link 'arm' bends by 0.45 rad");
}

TEST(BeamJobs, LargeDeflectionsAreSegments) {
  const Record record = run(example_job(
      "single_flexible_link", {"robot.links.arm.beam={to: [1, 0, 0], mass_per_length: 0.5, EI: 1, "
                               "elements: 1, segments: 4}"}));
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  // less than the 0.942 of linear theory: what bends is shorter
  EXPECT_NEAR(record.solution.u.cwiseAbs().maxCoeff(), 0.8413, 1e-3);
}

// With the error on a mesh of twice as many elements beside the proof, which does not decide. More
// durations: tools/plot_tsujita.py.
TEST(BeamJobs, TsujitaPressesTheBetterTheSlowerItMoves) {
  double before = 1e9;
  for (const char* duration : {"0.3", "0.5"}) {
    const Record record =
        run(example_job("tsujita", {std::string("task.path.duration=") + duration, "rigid=off"}));
    EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
    EXPECT_LT(*record.verification->max_force_error_N, 5e-3);  // on the same mesh, as asked
    ASSERT_TRUE(record.finer && record.finer->run) << duration;
    const double force = *record.finer->run->max_force_error_N;
    EXPECT_LT(force, before);
    before = force;
    if (std::string(duration) != "0.5") continue;
    EXPECT_LT(force, 0.1);  // N and m, as asked on a finer mesh
    EXPECT_LT(*record.finer->run->max_tool_error_m, 1e-4);
    EXPECT_GT(force, 1e-3);  // it is another mesh
  }
}

TEST(BeamJobs, ComponentModesOfThePathGiveTheTorquesOfAllNodes) {
  const std::vector<std::string> fine = {"robot.links.upper.beam.elements=4",
                                         "robot.links.fore.beam.elements=4", "rigid=off"};
  std::vector<std::string> reduced = fine;
  reduced.insert(reduced.end(),
                 {"robot.links.upper.beam.modes=auto", "robot.links.fore.beam.modes=auto"});
  const Record few = run(example_job("two_flexible_links", reduced));
  ASSERT_EQ(few.exit_code(), ExitCode::success) << few.solution.message;
  ASSERT_EQ(few.job.kept_modes.size(), 2);
  for (const KeptModes& beam : few.job.kept_modes) {
    EXPECT_EQ(beam.all, 6);
    EXPECT_LT(beam.kept, 3);
    EXPECT_LT(beam.missed, 1e-4);  // the rule of auto
  }
  // the finer mesh has all nodes: what the reduction leaves out is part of its error
  ASSERT_TRUE(few.finer && few.finer->run);
  EXPECT_LT(*few.finer->run->max_tool_error_m, 2e-5);
  const Record two = run(example_job("two_flexible_links", {"rigid=off"}));
  for (int d = 0; d < 2; ++d) {
    const double peak = two.solution.u.row(d).cwiseAbs().maxCoeff();
    EXPECT_NEAR(few.solution.u.row(d).cwiseAbs().maxCoeff(), peak, 1e-3 * peak);
  }
}

TEST(BeamJobs, ABeamThatCannotStandIsRefused) {
  const char* const upright =
      "{tauflex: 1, robot: {gravity: [0, 0, -9.81], links: [{name: arm, joint: {parent: world, "
      "type: "
      "revolute, axis: y}, drive: {rotor_inertia: 0.1}, beam: {to: [0, 0, 1], mass_per_length: "
      "1.5, "
      "EI: {y: 1, z: 1}, elements: 2}}]}, task: {outputs: [arm], path: {line: {from: [0], to: "
      "[0.5]}, "
      "duration: 2, profile: polynomial9}}}";
  const Record record = run(read_job(Node::read_text(upright, "job.yaml"), "upright"));
  EXPECT_EQ(record.exit_code(), ExitCode::not_solvable);
  EXPECT_NE(
      record.solution.message.find("link 'arm' buckles where the robot rests on its path at t "
                                   "= 0 s"),
      std::string::npos)
      << record.solution.message;
}

}  // namespace
}  // namespace tauflex
