// Outputs that people have, from the job file to the proof: each against a closed form or against a
// second way to say the same, and the robot turned in space needs the same torques.
#include <gtest/gtest.h>

#include <numbers>

#include "example_jobs.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {
namespace {

using Words = std::vector<std::string>;

Record proved(const Job& job) {
  const Record record = run(job);
  EXPECT_EQ(record.exit_code(), ExitCode::success) << record.solution.message;
  return record;
}

// The largest difference of torques, relative to the largest torque.
double torque_difference(const Record& a, const Record& b) {
  EXPECT_EQ(a.solution.t.size(), b.solution.t.size());
  return (a.solution.u - b.solution.u).cwiseAbs().maxCoeff() / a.solution.u.cwiseAbs().maxCoeff();
}

// The job with its robot turned and moved in space, gravity too, and its path in a frame there.
Job turned_in_space(Job job) {
  const Matrix3 R = rotation_from_rpy({0.7, -0.4, 1.9});
  const Vector3 p(0.3, -0.2, 0.5);
  for (RobotDescription* robot : {&job.robot, &job.plant}) {
    robot->gravity = R * robot->gravity;
    for (Link& link : robot->links)
      if (link.joint.parent == "world")
        link.joint.X_PJ = {R * link.joint.X_PJ.R, p + R * link.joint.X_PJ.p};
    robot->frames.push_back({"floor", "world", {R, p}, ""});
  }
  job.task.frame = "floor";
  return job;
}

// Yaw of a SCARA: the sum of the joints about z, and the tool where the path is.
TEST(Yaw, IsTheSumOfTheJointsOfAScara) {
  const Record record = proved(example_job("scara"));
  const Solution& s = record.solution;
  for (Eigen::Index i = 0; i < s.t.size(); i += 50) {
    Vector y(4);
    record.job.task.path->derivatives(s.t[i], y);
    EXPECT_NEAR(s.q(0, i) + s.q(1, i) + s.q(3, i), y[3], 1e-12);  // rounding of Newton's method
    const double x = 0.325 * std::cos(s.q(0, i)) + 0.275 * std::cos(s.q(0, i) + s.q(1, i));
    EXPECT_NEAR(x, y[0], 1e-12);
  }
}

TEST(Yaw, NeedsTheSameTorquesInATurnedRobot) {
  const Job job = example_job("scara", {"task.path.smoothness=4"});
  // 1e-7: jets are right to 1e-8 of the peak of each drive
  EXPECT_LT(torque_difference(proved(job), proved(turned_in_space(job))), 1e-7);
}

// The absolute angle of the second link, against the joint that makes it up.
TEST(AbsoluteAngle, IsAnotherWayToSayAJoint) {
  const Words path = {"method=exact", "task.outputs=[upper, fore.absolute]",
                      "task.path={line: {from: [0.2, 0.9], to: [1.5, 0.4]}, duration: 0.5}",
                      "task.start={near: {upper: 0.2, fore: 0.7}}"};
  Words joints = path;
  joints[1] = "task.outputs=[upper, fore]";
  joints[2] = "task.path={line: {from: [0.2, 0.7], to: [1.5, -1.1]}, duration: 0.5}";
  EXPECT_LT(torque_difference(proved(example_job("rigid_2r", path)),
                              proved(example_job("rigid_2r", joints))),
            1e-12);  // rounding
}

// Of the welding robot, so that no postures are looked for.
const char* near_the_seam =
    "task.start={near: {axis1: -0.16, axis2: -0.04, axis3: 0.87, axis5: 0.57}}";

// A weld: the torch points where it shall, its place is on the seam, one joint stands still.
TEST(ToolAxis, IsKeptAlongASeam) {
  const Record record = proved(example_job("welding", {near_the_seam}));
  const Robot robot(record.job.robot);
  MechanicsData data(robot);
  const Frame& torch = robot.frames()[robot.find_frame("torch")];
  const Solution& s = record.solution;
  const Vector3 wanted = Vector3(0.17, 0, -0.98).normalized();
  for (Eigen::Index i = 0; i < s.t.size(); i += 100) {
    kinematics<double>(robot, data, s.q.col(i));
    EXPECT_LT((frame_rotation(data, torch).col(2) - wanted).norm(), 1e-11);
    Vector y(5);
    record.job.task.path->derivatives(s.t[i], y);
    const double angle = y[0] / 0.3, r = 0.3 - y[1];  // from the seam's beginning, towards +x
    const Vector3 on_seam(1.3 + r * std::sin(angle), 0.1 - r * std::cos(angle), 0.8 + y[2]);
    EXPECT_LT((frame_position(data, torch) - on_seam).norm(), 1e-11);
    EXPECT_NEAR(s.q(5, i), s.q(5, 0), 1e-12);
  }
  EXPECT_EQ(record.verification->status, Status::solved);
}

TEST(ToolAxis, NeedsTheSameTorquesInATurnedRobot) {
  const Job job = example_job(
      "welding", {"task.path={line: {from: [0, 0, 0, [0.17, 0, -0.98]], to: [0.2, 0.01, 0, [0, "
                  "0.2, -1]]}, duration: 0.4}",
                  "verification.torque=exact", near_the_seam});
  EXPECT_LT(torque_difference(proved(job), proved(turned_in_space(job))), 1e-7);  // as above
}

// With six outputs for six drives: the orientation that the free spin led to gives the torques of
// the free spin.
TEST(ToolAxis, IsTheOrientationThatItLeadsTo) {
  const Words path = {
      "task.path={line: {from: [1.2, -0.3, 0.8, [0.1, 0, -1]], to: [1.3, 0.2, 0.9, "
      "[0.1, 0, -1]]}, duration: 0.4}",
      "verification.torque=exact", near_the_seam};
  Words free = path, whole = path;
  free.insert(free.begin(), "task.outputs=[torch.x, torch.y, torch.z, torch.axis]");
  // axis and spin: the axis and joint 6 where it stood
  whole.insert(whole.begin(), "task.outputs=[torch.x, torch.y, torch.z, torch.axis, axis6]");
  const Record by_posture = proved(example_job("welding", free));
  const double held = by_posture.solution.q(5, 0);
  whole[1] = "task.path={line: {from: [1.2, -0.3, 0.8, [0.1, 0, -1], " + std::to_string(held) +
             "], to: [1.3, 0.2, 0.9, [0.1, 0, -1], " + std::to_string(held) + "]}, duration: 0.4}";
  EXPECT_LT(torque_difference(by_posture, proved(example_job("welding", whole))), 1e-7);
}

// Along a straight guide is a position in a frame that lies there.
TEST(AlongALine, IsAPositionInItsFrame) {
  const std::string path =
      "task.path={line: {from: [0, 0, 0, 0], to: [0.3, 0.02, -0.05, 1]}, "
      "duration: 0.8}";
  const Record along = proved(example_job(
      "scara", {"task.outputs=[tool.along, tool.across, tool.above, tool.yaw]", path,
                "task.guide={line: {from: [0.35, -0.25, 0.2], to: [0.38, 0.15, 0.2]}}"}));
  const double turn = std::atan2(0.4, 0.03);
  const Record in_frame = proved(example_job(
      "scara",
      {"robot.frames.seam={link: world, at: [0.35, -0.25, 0.2], rpy: [0, 0, " +
           std::to_string(turn) + "]}",
       "task.outputs=[tool.x in seam, tool.y in seam, tool.z in seam, tool.yaw in world]", path}));
  EXPECT_LT(torque_difference(along, in_frame), 1e-5);  // six digits of the angle of the frame
}

// One output in a moving frame is that of a task in this frame.
TEST(InAMovingFrame, IsWhatTheTaskFrameSays) {
  const std::string path = "task.path={line: {from: [0.1, 0.3], to: [0.35, 0.25]}, duration: 0.6}",
                    part = "robot.frames.part={link: upper, at: [0.1, 0, 0.2]}",
                    near = "task.start={near: {upper: 0.1, fore: 0.5}}";
  const std::string z = "task.outputs=[tool.x, tool.z]",
                    own = "task.outputs=[tool.x in part, upper]",
                    all = "task.outputs=[tool.x, upper]";
  const Record one = proved(example_job("rigid_2r", {"method=exact", part, own, path, near}));
  const Record whole =
      proved(example_job("rigid_2r", {"method=exact", part, all, path, near, "task.frame=part"}));
  EXPECT_LT(torque_difference(one, whole), 1e-14);
  // in axes of the upper arm: the elbow, then the fore-arm turned by its joint
  const Solution& s = one.solution;
  for (Eigen::Index i = 0; i < s.t.size(); i += 50) {
    Vector y(2);
    one.job.task.path->derivatives(s.t[i], y);
    EXPECT_NEAR(0.5 + 0.4 * std::cos(s.q(1, i)) - 0.1, y[0], 1e-13);
  }
}

// How smooth a way by waypoints is follows from the index: one derivative more than the torques
// depend on, with rigid drives fewer than with elastic ones.
TEST(WaypointsOfAJob, AreAsSmoothAsTheTorquesAsk) {
  const Job elastic = example_job("scara");
  const Job rigid = example_job("rigid_2r", {"task.outputs=[upper, fore]",
                                             "task.path={waypoints: {points: [[0, 0], [1, 0], [1, "
                                             "1]], speed: 1, acceleration: 4, blend: 0.3}}"});
  for (const Job& job : {elastic, rigid}) {
    const Posed posed = plan(job);
    const int required = posed.diagnosis.required_smoothness;
    EXPECT_FALSE(first_corner(posed.problem.path(), required + 1));
    EXPECT_TRUE(first_corner(posed.problem.path(), required + 2));
  }
  EXPECT_EQ(plan(elastic).diagnosis.required_smoothness, 3);
  EXPECT_EQ(plan(rigid).diagnosis.required_smoothness, 2);
}

// The tool moves with the speed that is asked for, and not faster.
TEST(WaypointsOfAJob, KeepTheSpeedOfTheTool) {
  const Record record = proved(example_job("scara"));
  const Robot robot(record.job.robot);
  MechanicsData data(robot);
  const Frame& tool = robot.frames()[robot.find_frame("tool")];
  Matrix J(3, robot.tree_nv());
  double fastest = 0;
  for (Eigen::Index i = 0; i < record.solution.t.size(); ++i) {
    kinematics<double>(robot, data, record.solution.q.col(i));
    frame_jacobian<double>(robot, data, tool, J);
    fastest = std::max(fastest, (J * record.solution.v.col(i).head(robot.tree_nv())).norm());
  }
  EXPECT_NEAR(fastest, 0.5, 1e-10);
}

// In joint space: the joints go straight, from a posture at the first point to the closest one at
// the last, and the note says where the tool goes.
TEST(JointMove, ReachesAToolPose) {
  const Record record = proved(
      example_job("scara", {"task.path={joint_move: {from: pick, to: place}, duration: 0.6}"}));
  EXPECT_EQ(record.job.task.outputs, (Words{"upper", "fore", "quill", "gripper"}));
  const Robot robot(record.job.robot);
  MechanicsData data(robot);
  const Solution& s = record.solution;
  const Eigen::Index last = s.t.size() - 1;
  const auto tool_at = [&](Eigen::Index i) -> Vector3 {
    kinematics<double>(robot, data, s.q.col(i));
    return frame_position(data, robot.frames()[robot.find_frame("tool")]);
  };
  EXPECT_LT((tool_at(0) - Vector3(0.35, -0.25, 0.1)).norm(), 1e-9);
  EXPECT_LT((tool_at(last) - Vector3(0.3, 0.3, 0.1)).norm(), 1e-9);
  EXPECT_NEAR(s.q(0, last) + s.q(1, last) + s.q(3, last), std::numbers::pi / 2, 1e-9);
  for (Eigen::Index i = 0; i <= last; i += 50) {  // on one line
    const double part = (s.q(1, i) - s.q(1, 0)) / (s.q(1, last) - s.q(1, 0));
    EXPECT_NEAR(s.q(0, i), s.q(0, 0) + part * (s.q(0, last) - s.q(0, 0)), 1e-9);
  }
  ASSERT_FALSE(record.job.task.notes.empty());
  EXPECT_NE(record.job.task.notes.back().find("tool.x 0.35 -> 0.3, tool.y -0.25 -> 0.3"),
            std::string::npos)
      << record.job.task.notes.back();
}

// Joints by name, those left out stay; through a point in between and to a pose of the tool.
TEST(JointMove, GoesByWaypointsOfJoints) {
  const Record record = proved(example_job(
      "scara", {"task.path={joint_waypoints: {points: [start, {fore: 60 deg, quill: -100 mm}, "
                "{upper: 1}, place], speed: 1.5, acceleration: 8, blend: 0.05}}",
                "task.start={near: {upper: -0.5, fore: 0.9, quill: -0.2}}"}));
  const Solution& s = record.solution;
  EXPECT_NEAR(s.q(0, 0), -0.5, 1e-12);
  EXPECT_NEAR(s.q(1, 0), 0.9, 1e-12);
  EXPECT_LT(s.v.topRows(4).cwiseAbs().maxCoeff(), 1.5 + 1e-9);
}

TEST(JointMove, SaysWhatIsWrong) {
  const auto said = [](const Words& overrides) -> std::string {
    try {
      example_job("scara", overrides);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "(accepted)";
  };
  EXPECT_NE(said({"task.path={joint_move: {to: [2, 0, 0.1, 0]}, duration: 1}"})
                .find("no posture of the arm reaches this point"),
            std::string::npos);
  EXPECT_NE(said({"task.path={joint_move: {to: {upper: 1, elbow: 2}}, duration: 1}"})
                .find("'elbow' is not a joint with a drive"),
            std::string::npos);
  EXPECT_NE(said({"task.path={line: {from: pick, to: plase}, duration: 1}"})
                .find("'plase' is not one of task.points; did you mean 'place'?"),
            std::string::npos);
  EXPECT_NE(said({"task.path=[{joint_move: {to: place}, duration: 1}, {line: {to: pick}, "
                  "duration: 1}]"})
                .find("make it two jobs"),
            std::string::npos);
}

}  // namespace
}  // namespace tauflex
