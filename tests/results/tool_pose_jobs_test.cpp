// Orientations of tools, and paths on parts that stand elsewhere or move.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

// The tool turns the shortest way: at half of the smoothstep it has turned half of the angle.
TEST(Orientation, FollowsTheGeodesic) {
  const Job job = example_job("wrist_coupling");
  const Record record = run(job, Until::solved);
  MechanicsData data(record.robot);
  const Frame& tool = record.robot.frames()[static_cast<size_t>(record.robot.find_frame("tool"))];
  const auto rotation = [&](Eigen::Index i) -> Matrix3 {
    kinematics<double>(record.robot, data, record.solution.q.col(i));
    return data.R[static_cast<size_t>(tool.body)] * tool.X_BF.R;
  };
  const Matrix3 from = rotation_from_vector<double>({0, 0.4, 0}),
                to = rotation_from_vector<double>({0.9, 0.2, 0.5});
  const auto last = record.solution.t.size() - 1;
  EXPECT_LT((rotation(0) - from).norm(), 1e-9);
  EXPECT_LT((rotation(last) - to).norm(), 1e-9);
  const Matrix3 half =
      from * rotation_from_vector<double>(0.5 * rotation_vector(from.transpose() * to));
  EXPECT_LT((rotation(last / 2) - half).norm(), 1e-9);
}

// A circle with a turn on the way.
TEST(Orientation, TurnsOnACircle) {
  const Record record = run(example_job(
      "six_axis_elastic",
      {"task.path={circle: {from: [1.6, -0.3, 1.2, 0, 0.6, 0], center: [1.6, -0.1, 1.2], angle: 3, "
       "normal: [1, 0, 0], turn_to: [0, 0.6, 0.3]}, duration: 1, profile: polynomial11}"}));
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  const auto last = record.solution.t.size() - 1;
  EXPECT_NEAR(record.solution.y(1, last), -0.1 - 0.2 * std::cos(3.0), 1e-9);
  EXPECT_NEAR(record.solution.y(2, last), 1.2 - 0.2 * std::sin(3.0), 1e-9);
  const Matrix3 from = rotation_from_vector<double>({0, 0.6, 0}),
                to = rotation_from_vector<double>({0, 0.6, 0.3});
  EXPECT_LT(
      (Vector3(record.solution.y.col(last).tail<3>()) - rotation_vector(from.transpose() * to))
          .norm(),
      1e-9);
}

// Joint coordinates that are called rx, ry, rz are no orientation.
TEST(Orientation, IsNotWhatIsCalledAlike) {
  Job job = example_job("wrist_coupling");
  const Outputs outputs = find_outputs(Robot(job.robot), job.task);
  EXPECT_EQ(outputs.rows[1].name, "tool.ry");
  ASSERT_EQ(outputs.groups.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<OrientationOutput>(outputs.groups[0].rule));
  job.task.outputs = {"tool.rx", "tool.ry", "tool.rz"};
  job.task.orientations.clear();
  EXPECT_THROW(find_outputs(Robot(job.robot), job.task), InputError);
}

// A tool draws a line on a part while the table under it turns.
TEST(WorkObject, MayMove) {
  const Record record = run(read_job(Node::read_text(R"(
tauflex: 1
robot:
  links:
    - {name: table, joint: {parent: world, at: [0.6, 0, 0.2], type: revolute, axis: y}, mass: 5,
       com: [0.05, 0, 0], inertia: {yy: 0.3}, drive: {rotor_inertia: 0.01, stiffness: 4000, damping: 4}}
    - {name: upper, joint: {parent: world, type: revolute, axis: -y}, mass: 6, com: [0.25, 0, 0],
       inertia: {yy: 0.2}, drive: {rotor_inertia: 2e-4, gear_ratio: 80, stiffness: 2e4, damping: 20}}
    - {name: fore, joint: {parent: upper, at: [0.5, 0, 0], type: revolute, axis: -y}, mass: 4,
       com: [0.2, 0, 0], inertia: {yy: 0.1}, drive: {rotor_inertia: 2e-4, gear_ratio: 80, stiffness: 2e4, damping: 20}}
  frames:
    tool: {link: fore, at: [0.4, 0, 0]}
    part: {link: table, at: [0, 0, 0.1], rpy: [0, 0.2, 0]}
task:
  outputs: [tool.x, tool.z, table]
  frame: part
  path: {line: {from: [-0.05, 0.02, 0], to: [0.05, 0.02, 0.6]}, duration: 0.8, profile: polynomial11}
  start: {near: {upper: 1.2, fore: -1.5}}
verification: {tolerance: 1e-4, torque: smooth}
)",
                                                     "table.yaml"),
                                     "table"));
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_LT(record.verification->max_tool_error_m.value_or(1), 1e-4);  // m; asked for
  const Robot& robot = record.robot;
  MechanicsData data(robot);
  const auto last = record.solution.t.size() - 1;
  for (const auto i : {Eigen::Index(0), last / 2, last}) {
    const double turn = record.solution.q(robot.coordinates().find("table"), i);
    const double along = -0.05 + 0.1 * turn / 0.6;
    kinematics<double>(robot, data, record.solution.q.col(i));
    const Vector3 tool =
        frame_position(data, robot.frames()[static_cast<size_t>(robot.find_frame("tool"))]);
    const Vector3 expected =
        Vector3(0.6, 0, 0.2) +
        rotation_from_rpy({0, turn, 0}) *
            (Vector3(0, 0, 0.1) + rotation_from_rpy({0, 0.2, 0}) * Vector3(along, 0, 0.02));
    EXPECT_LT((tool - expected).norm(), 1e-9);
  }
  // and the exact method, with the acceleration of the part, gives the torques of rigid drives
  Job rigid = record.job;
  for (Link& link : rigid.robot.links) link.drive->elastic.reset();
  rigid.plant = rigid.robot;
  const Record exact = run(rigid);
  EXPECT_EQ(exact.solution.method, "exact");
  ASSERT_TRUE(exact.verification) << exact.solution.message;
  EXPECT_LT(exact.verification->max_tool_error_m.value_or(1), 1e-4);
}

// In a frame that is fixed to the world but turned and moved: the same motion in the world.
TEST(WorkObject, PathsAreMeantInItsFrame) {
  const Record in_world = run(example_job("rigid_2r"), Until::solved);
  Job job = example_job(
      "rigid_2r",
      {"task.frame=bench", "task.path={line: {from: [0.1, 0.2], to: [0.2, 0.1]}, duration: 1}"});
  job.robot.frames.push_back(
      {"bench", "world", {rotation_from_rpy({0, 0.3, 0}), Vector3(0.4, 0, 0.1)}, ""});
  job.plant = job.robot;
  const Record record = run(job);
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  MechanicsData data(record.robot);
  kinematics<double>(record.robot, data, record.solution.q.col(0));
  const Frame& tool = record.robot.frames()[static_cast<size_t>(record.robot.find_frame("tool"))];
  const Vector3 expected =
      rotation_from_rpy({0, 0.3, 0}) * Vector3(0.1, 0, 0.2) + Vector3(0.4, 0, 0.1);
  const Vector3 p = frame_position(data, tool);
  EXPECT_NEAR(p[0], expected[0], 1e-9);
  EXPECT_NEAR(p[2], expected[2], 1e-9);
}

}  // namespace
}  // namespace tauflex
