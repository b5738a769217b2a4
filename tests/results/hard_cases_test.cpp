// Jobs that were once refused, or answered wrongly, without a reason in mechanics: each ends as it
// should, and its torques are known to the error that is stated.
#include <gtest/gtest.h>

#include <cmath>

#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

Job case_of(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_job(TAUFLEX_SOURCE_DIR "/tests/cases/" + name + ".yaml", overrides);
}

struct Expected {
  const char* name;
  int index;
  // The default.
  const char* method;
  // m and rad
  double error;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.name; }

class HardCases : public testing::TestWithParam<Expected> {};

TEST_P(HardCases, are_solved_and_proved) {
  const Record record = run(case_of(GetParam().name));
  EXPECT_EQ(record.diagnosis.differential_index, GetParam().index);
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  EXPECT_EQ(record.solution.method, GetParam().method);
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(0), GetParam().error);
  EXPECT_LT(record.verification->max_orientation_error_rad.value_or(0), GetParam().error);
}

// Jets at a tolerance ten thousand times finer.
TEST_P(HardCases, state_their_error) {
  const Posed posed = pose(case_of(GetParam().name));
  const auto* jets = std::get_if<JetOptions>(&posed.method);
  if (!jets) return;  // exact: rounding only
  JetOptions finer = *jets;
  finer.tolerance = 1e-12;
  const Solution s = solve(posed.problem, posed.start, *jets),
                 truth = solve(posed.problem, posed.start, finer);
  ASSERT_EQ(truth.status, Status::solved) << truth.message;
  ASSERT_EQ(s.t, truth.t);
  for (Eigen::Index i = 0; i < s.u.rows(); ++i) {
    const double error = (s.u.row(i) - truth.u.row(i)).cwiseAbs().maxCoeff();
    const double peak = truth.u.row(i).cwiseAbs().maxCoeff();
    EXPECT_LT(error, 5 * s.torque_errors[i] + truth.torque_errors[i]) << i;
    EXPECT_LT(s.torque_errors[i], 1e-6 * peak) << i;
  }
}

// Errors are those of linear torques between samples where they are not below a nanometre.
INSTANTIATE_TEST_SUITE_P(All, HardCases,
                         testing::Values(Expected{"bdf_default_3percent", 5, "jets", 1e-6},
                                         Expected{"catch22", 5, "jets", 1e-9},
                                         Expected{"index6_100", 5, "jets", 2e-6},
                                         Expected{"m1025_time01", 5, "jets", 1e-9},
                                         Expected{"micro", 3, "exact", 1e-7},
                                         Expected{"near_singular", 4, "jets", 1e-9}),
                         [](const auto& info) { return std::string(info.param.name); });

// A law: a mass changed by 5e-6 changes the torques by as little.
TEST(HardCases, of_a_mass_that_hardly_differs_have_the_same_torques) {
  const auto torques = [](const char* mass) {
    const Posed posed = pose(case_of("catch22", {std::string("robot.links.l5.mass=") + mass}));
    return solve(posed.problem, posed.start, posed.method);
  };
  const Solution one = torques("7.13762"), other = torques("7.1376557");
  ASSERT_EQ(one.status, Status::solved) << one.message;
  ASSERT_EQ(other.status, Status::solved) << other.message;
  for (Eigen::Index i = 0; i < one.u.rows(); ++i)
    EXPECT_LT((one.u.row(i) - other.u.row(i)).cwiseAbs().maxCoeff(),
              1e-4 * one.u.row(i).cwiseAbs().maxCoeff())
        << i;
}

// A law: a thousandth of every length is a millionth of every torque where nothing weighs.
TEST(HardCases, of_a_small_arm_are_those_of_a_large_one) {
  const Record small = run(case_of("micro")),
               large = run(case_of(
                   "micro",
                   {"robot.links.a.com=[0.5, 0, 0]", "robot.links.b.com=[0.5, 0, 0]",
                    "robot.links.a.inertia.yy=1e-4", "robot.links.b.inertia.yy=1e-4",
                    "robot.links.a.drive.rotor_inertia=1e-3",
                    "robot.links.b.drive.rotor_inertia=1e-3", "robot.links.b.joint.at=[1, 0, 0]",
                    "robot.frames.tool.at=[1, 0, 0]", "task.path.line.from=[1, 0]",
                    "task.path.line.to=[0.5, 0]", "verification.tolerance=1e-3"}));
  EXPECT_EQ(small.exit_code(), ExitCode::success) << small.solution.message;
  EXPECT_EQ(large.exit_code(), ExitCode::success) << large.solution.message;
  ASSERT_EQ(small.solution.u.cols(), large.solution.u.cols());
  EXPECT_LT((1e6 * small.solution.u - large.solution.u).cwiseAbs().maxCoeff(),
            1e-9 * large.solution.u.cwiseAbs().maxCoeff());  // rounding
}

// An arm of 1 cm that is held upright for 20 s: without feedback a small error would grow e^750
// times, more than any number can say. The proof starts again 110 times, and what is stated is a
// logarithm.
TEST(HardCases, of_a_growth_beyond_all_numbers_are_proved_in_segments) {
  const Record record = run(read_job(Node::read_text(R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links: [{name: arm, joint: {parent: world, type: revolute, axis: y}, drive: {}, mass: 1, com: [0, 0, 0.01], inertia: {yy: 1e-5}}]
task:
  outputs: [arm]
  path: {line: {from: [-0.05], to: [0.05]}, duration: 0.5}
  hold: {after: 25}
)",
                                                     "upright.yaml"),
                                     "upright"));
  ASSERT_TRUE(record.verification) << record.solution.message;
  const Verification& proof = *record.verification;
  EXPECT_EQ(proof.status, Status::solved) << proof.message;
  EXPECT_EQ(proof.mode, VerificationMode::segments);
  // sqrt(m g l / (I + m l^2)) = 29.9 1/s
  EXPECT_NEAR(proof.log_growth, 29.9 * 25.3, 30);
  EXPECT_GT(proof.log_growth, std::log(1e307));
  EXPECT_GT(proof.segments, 100);
  EXPECT_LT(*proof.max_orientation_error_rad, 1e-4);  // torques are linear between samples
}

}  // namespace
}  // namespace tauflex
