// Paths that are bent in time to end at rest.
#include "tauflex/planning/rest_shape.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

Record shaped(const std::string& example, std::vector<std::string> overrides = {}) {
  overrides.push_back("task.shape=rest");
  return run(example_job(example, overrides));
}

// Without shape the hand rings by 0.03 rad at 0.4 s and by 0.32 rad at 0.3 s.
TEST(RestShape, e12_ends_at_rest) {
  for (const char* duration : {"task.path.duration=0.4", "task.path.duration=0.3"}) {
    SCOPED_TRACE(duration);
    const Record record = shaped("e12_bdf", {duration, "task.hold.after=0.1"});
    EXPECT_EQ(record.exit_code(), ExitCode::success);
    ASSERT_EQ(record.warnings.size(), 1u);
    EXPECT_NE(record.warnings[0].find("bent in time to end at rest"), std::string::npos);
    EXPECT_LT(record.ringing->q[2], 1e-4);         // rad; the hold is solved in other steps
    EXPECT_LT(record.ringing->u.maxCoeff(), 300);  // N m; 1e5 without
    // the same line, from the same start to the same end
    const Solution& s = record.solution;
    for (Eigen::Index i = 0; i < s.t.size(); ++i)
      EXPECT_NEAR((s.y(0, i) - 2.146) * 1.99 + (s.y(1, i) + 0.345), 0, 1e-9);
    EXPECT_NEAR(s.y(0, s.t.size() - 1), 1.146, 1e-12);
  }
}

TEST(RestShape, nothing_to_do_and_nothing_possible) {
  EXPECT_TRUE(shaped("flexible_joint").warnings.empty());
  for (const auto& [name, part] : {std::pair("e1_complete", "task.shape: no bending"),
                                   std::pair("polishing", "rest is for robots without constraints"),
                                   std::pair("e12_nonminimum", "stable inversion ends at rest")}) {
    const Record record = shaped(name);
    EXPECT_EQ(record.exit_code(), ExitCode::not_solvable) << name;
    EXPECT_NE(record.solution.message.find(part), std::string::npos) << record.solution.message;
  }
  EXPECT_THROW(example_job("e12_bdf", {"task.shape=round"}), InputError);
}

}  // namespace
}  // namespace tauflex
