// Law: the error that jets state for each drive is its error, neither much less nor much more.
#include <gtest/gtest.h>

#include "solvers/random_elastic_job.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

TEST(JetErrors, of_random_elastic_robots) {
  int drives = 0, above = 0, below = 0, known = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Posed posed = pose(RandomElasticJob(seed).job());
    const double step = posed.problem.path().duration() / 400;
    const Solution s = solve(posed.problem, posed.start, JetOptions{.step = step});
    ASSERT_EQ(s.status, Status::solved) << seed << ": " << s.message;
    const Solution truth = solve(
        posed.problem, posed.start,
        JetOptions{.tolerance = 1e-12,
                   .step = step,
                   .first_steps = static_cast<int>(2.3 * static_cast<double>(s.integrator_steps))});
    ASSERT_EQ(truth.status, Status::solved) << seed << ": " << truth.message;
    for (Eigen::Index i = 0; i < s.u.rows(); ++i) {
      const double peak = truth.u.row(i).cwiseAbs().maxCoeff();
      // what more steps know is known to their own error
      const double error =
          (s.u.row(i) - truth.u.row(i)).cwiseAbs().maxCoeff() - truth.torque_errors[i];
      EXPECT_LT(error, 3e-8 * peak) << seed << " " << i;  // asked for: 1e-8
      EXPECT_LT(error, 20 * s.torque_errors[i]) << seed << " " << i;
      ++drives;
      above += error > 5 * s.torque_errors[i];
      if (error < 1e-12 * peak) continue;
      ++known;
      below += error < 0.1 * s.torque_errors[i];
    }
  }
  EXPECT_LE(above, drives / 50);
  EXPECT_LE(below, known / 2);
  EXPECT_GT(known, 10);
}

}  // namespace
}  // namespace tauflex
