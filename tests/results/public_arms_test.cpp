// Arms as they are sold, more than thirty, from their files to proved torques with the first job:
// no start is given, no method chosen. The torques of the open chains are MuJoCo's as well.
#include "results/public_arms.hpp"

#include <gtest/gtest.h>

#include "mechanics/mujoco_urdf.hpp"
#include "tauflex/jobs/tool_pose.hpp"
#include "tauflex/results/run.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

void expect_proved(const Record& record) {
  ASSERT_EQ(record.solution.status, Status::solved) << record.solution.message;
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(0), 1e-4);           // m; asked for
  EXPECT_LT(record.verification->max_orientation_error_rad.value_or(0), 1e-4);  // rad; asked for
  // of several postures one is taken that stays within the ranges of the joints
  for (const std::string& warning : record.warnings)
    for (const char* fault : {"noise", "leaves its range"})
      EXPECT_EQ(warning.find(fault), std::string::npos) << warning;
}

// Torques at the joints in the middle of the motion: those of the springs against MuJoCo's for the
// same positions, velocities and accelerations.
void expect_mujocos_torques(const SerialArm& arm, const Record& record) {
  MujocoUrdf mujoco(urdf_text(arm));
  const Robot robot(record.job.robot);
  const Solution& s = record.solution;
  const auto n = static_cast<Eigen::Index>(arm.axes.size());
  ASSERT_EQ(mujoco.nv(), n);
  const Eigen::Index at = s.t.size() / 3;
  const double h = s.t[at + 1] - s.t[at];
  Vector q(n), v(n), vdot(n), tau(n);
  std::vector<int> theirs;
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::string name = "J" + std::to_string(i + 1);
    const int joint = robot.coordinates().find(name),
              rotor = robot.coordinates().find(name + ".rotor");
    const double K = arm.axes[static_cast<size_t>(i)].stiffness, D = K / 1000;
    theirs.push_back(mujoco.velocity(name));
    q[i] = s.q(joint, at);
    v[i] = s.v(joint, at);
    const auto v_at = [&](int k) { return s.v(joint, at + k); };
    vdot[i] = (8 * (v_at(1) - v_at(-1)) - (v_at(2) - v_at(-2))) / (12 * h);
    tau[i] = K * (s.q(rotor, at) / 100 - q[i]) + D * (s.v(rotor, at) / 100 - v[i]);
  }
  Vector q_m = mujoco.reference(), v_m(n), vdot_m(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    q_m[theirs[static_cast<size_t>(i)]] = q[i];
    v_m[theirs[static_cast<size_t>(i)]] = v[i];
    vdot_m[theirs[static_cast<size_t>(i)]] = vdot[i];
  }
  const Vector expected = mujoco.torques(q_m, v_m, vdot_m)(theirs);
  // nine digits of the files, and differences of order 4 over a thousandth of the motion
  EXPECT_LT((tau - expected).cwiseAbs().maxCoeff(), 1e-6 * expected.cwiseAbs().maxCoeff());
}

class PublicArm : public testing::TestWithParam<SerialArm> {};

TEST_P(PublicArm, IsProvedFromItsFile) {
  const SerialArm& arm = GetParam();
  const TemporaryFolder folder;
  // every other one by a URDF file and an overlay, the rest by a robot file
  static const std::vector<SerialArm> all = serial_arms();
  const auto index = std::find_if(all.begin(), all.end(),
                                  [&](const SerialArm& other) { return other.name == arm.name; }) -
                     all.begin();
  std::string robot = "arm.yaml";
  if (index % 2 == 0) {
    folder.write("arm.urdf", urdf_text(arm));
    folder.write("arm.elastic.yaml", elastic_text(arm));
    robot = "{urdf: arm.urdf, elastic: arm.elastic.yaml}";
  } else {
    folder.write("arm.yaml", robot_text(arm));
  }
  const Record record = run(
      read_job(folder.write("job.yaml", "tauflex: 1\nrobot: " + robot + "\n" + task_text(arm))));
  expect_proved(record);
  expect_mujocos_torques(arm, record);
}

std::string letters(std::string name) {
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Chains, PublicArm, testing::ValuesIn(serial_arms()),
                         [](const auto& test) { return letters(test.param.name); });

// Whichever of them a test takes: the tool is at the same place, and gravity pulls as much.
TEST(PublicArms, UrdfAndRobotFilesSayTheSame) {
  const TemporaryFolder folder;
  const auto posed = [&](const SerialArm& arm, const std::string& file) {
    const Robot robot(
        read_job(folder.write("job.yaml", "tauflex: 1\nrobot: " + file + "\n" + task_text(arm)))
            .robot);
    Vector q = robot.coordinates().neutral;
    for (size_t i = 0; i < arm.axes.size(); ++i)
      q[robot.coordinates().find("J" + std::to_string(i + 1))] = 0.3 + 0.2 * i;
    return tool_pose(robot, meant_frame(robot, "tool"), q);
  };
  for (const SerialArm& arm : serial_arms()) {
    folder.write("arm.urdf", urdf_text(arm));
    folder.write("arm.elastic.yaml", elastic_text(arm));
    folder.write("arm.yaml", robot_text(arm));
    const ToolPose a = posed(arm, "{urdf: arm.urdf, elastic: arm.elastic.yaml}"),
                   b = posed(arm, "arm.yaml");
    // nine digits in the URDF file: 5e-9 rad in each of up to 21 angles
    EXPECT_LT((a.X_WF.p - b.X_WF.p).norm(), 1e-7) << arm.name;  // m
    EXPECT_LT((a.X_WF.R - b.X_WF.R).norm(), 1e-7) << arm.name;
    EXPECT_LT((a.gravity_torques - b.gravity_torques).norm(), 1e-7 * b.gravity_torques.norm())
        << arm.name;
  }
}

class PublicRobot : public testing::TestWithParam<NamedJob> {};

TEST_P(PublicRobot, IsProvedFromItsFile) {
  const TemporaryFolder folder;
  expect_proved(run(read_job(folder.write("job.yaml", GetParam().text))));
}

INSTANTIATE_TEST_SUITE_P(Loops, PublicRobot, testing::ValuesIn(parallel_robots()),
                         [](const auto& test) { return test.param.name; });

// Arms that share no output are found apart: eight postures each.
TEST(PublicRobots, PosturesOfTwoArmsAreThoseOfEach) {
  const TemporaryFolder folder;
  for (const NamedJob& job : parallel_robots())
    if (job.name == "DualUR3") {
      const Posed posed = pose(read_job(folder.write("job.yaml", job.text)));
      EXPECT_NE(posed.start.choice.find("64 postures"), std::string::npos) << posed.start.choice;
    }
}

}  // namespace
}  // namespace tauflex
