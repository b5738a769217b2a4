// Error messages: why the joints have no motion at a time, and nothing of a failure before.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {
namespace {

TEST(NoMotion, is_said_for_each_solve_anew) {
  const Posed posed = pose(example_job("rigid_2r"));
  InternalDynamics dynamics(posed.problem);
  InternalMotion m = dynamics.motion();
  const Vector none(0);
  const double halfway = posed.problem.path().duration() / 2;

  m.q = posed.start.q;
  EXPECT_TRUE(dynamics.solve(halfway, none, none, m));
  EXPECT_EQ(m.failure.row, -1);

  // a pose that is no number leads nowhere, and no output is to blame
  m.q.setConstant(std::nan(""));
  EXPECT_FALSE(dynamics.solve(halfway, none, none, m));
  EXPECT_EQ(m.failure.row, -1);

  // velocities may be any, accelerations are too large for a number
  m.q = posed.start.q;
  EXPECT_FALSE(dynamics.solve(halfway / 2, none, none, m, 1e200));
  EXPECT_EQ(m.failure.row, -1);
  EXPECT_NE(std::string(m.failure.reason).find("no finite accelerations"), std::string::npos)
      << m.failure.reason;

  m.q = posed.start.q;
  EXPECT_TRUE(dynamics.solve(halfway, none, none, m));
  EXPECT_STREQ(m.failure.reason, "");
}

// Out of reach: the row that is off most is an output, and the last one is forgotten.
TEST(NoMotion, names_the_row_that_is_off) {
  const Posed posed =
      pose(example_job("rigid_2r", {"task.path={line: {from: [0.7, 0], to: [3, 0]}, duration: 1, "
                                    "profile: polynomial9}"}));
  InternalDynamics dynamics(posed.problem);
  InternalMotion m = dynamics.motion();
  const Vector none(0);
  m.q = posed.start.q;
  EXPECT_FALSE(dynamics.solve(1, none, none, m));
  ASSERT_GE(m.failure.row, 0);
  EXPECT_EQ(dynamics.rows().name(m.failure.row).rfind("servo ", 0), 0u);
  EXPECT_GT(m.failure.value, 0.1);  // m
  m.q = posed.start.q;
  EXPECT_TRUE(dynamics.solve(0, none, none, m));
  EXPECT_EQ(m.failure.row, -1);
}

}  // namespace
}  // namespace tauflex
