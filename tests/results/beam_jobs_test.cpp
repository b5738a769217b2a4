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

}  // namespace
}  // namespace tauflex
