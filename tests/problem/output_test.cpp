// Laws of outputs in frames that stand or move: the Jacobian against Dual, the second derivative
// against Jets; what a moving frame sees; and which rows form one distance or one angle.
#include "tauflex/problem/output.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/find_outputs.hpp"

namespace tauflex {
namespace {

using Vector2 = Eigen::Vector2d;

// The seven-axis arm, its path meant in a frame on a link; "" is the world.
class OutputsInAFrame : public testing::TestWithParam<const char*> {
 protected:
  OutputsInAFrame() : job(example_job("seven_axis")), robot(with_frame(job)), data(robot) {
    outputs = find_outputs(robot, job.task);
    Random random(7);
    q = random.vector(robot.nq(), 1);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    y.resize(6);
    kinematics<double>(robot, data, q);
    output_values(robot, data, q, none, outputs, y);  // on the path
  }
  static Robot with_frame(Job& job) {
    const std::string link = GetParam();
    if (link.empty()) return Robot(job.robot);
    job.robot.frames.push_back(
        {"part", link, {rotation_from_rpy({0.3, -0.8, 0.5}), Vector3(0.1, 0.2, -0.3)}, ""});
    job.task.frame = "part";
    return Robot(job.robot);
  }
  template <class S>
  VectorOf<S> errors(const VectorOf<S>& at) const {
    MotionData<S> mechanics(robot);
    VectorOf<S> error(6);
    const VectorOf<S> wanted = y.cast<S>(), nothing(0);
    kinematics<S>(robot, mechanics, at);
    output_errors<S>(robot, mechanics, at, nothing, outputs, wanted, error);
    return error;
  }
  Job job;
  Robot robot;
  MechanicsData data;
  Outputs outputs;
  Vector q, v, vdot, y, none = Vector(0);
};

TEST_P(OutputsInAFrame, AreOnThePathWhereTheyAre) {
  EXPECT_LT(errors<double>(q).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(OutputsInAFrame, JacobianIsTheDerivative) {
  for (const double off : {0.0, 0.2}) {  // on the path and beside it
    y.array() += off;
    Matrix J(6, robot.nv());
    output_jacobian(robot, data, outputs, y, J);
    const Matrix expected =
        dual_jacobian([&](const VectorOf<Dual>& x) { return errors<Dual>(x); }, q);
    EXPECT_LT(relative_difference(J, expected), 1e-13);
  }
}

// J vdot + bias, along q + v t + vdot t^2 / 2.
TEST_P(OutputsInAFrame, BiasCompletesTheSecondDerivative) {
  Matrix J(6, robot.nv());
  Vector bias(6), g(0);
  output_jacobian(robot, data, outputs, y, J);
  constraint_bias(robot, data, q, v, 0, g);
  output_bias(robot, data, outputs, y, bias);
  VectorOf<Jet> moving(robot.nq());
  for (int k = 0; k < robot.nq(); ++k) {
    moving[k] = Jet::zero(2);
    moving[k][0] = q[k];
    moving[k][1] = v[k];
    moving[k][2] = vdot[k] / 2;
  }
  const VectorOf<Jet> error = errors<Jet>(moving);
  const Vector rate = J * v, acceleration = J * vdot + bias;
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(error[i].derivative(1), rate[i], 1e-12 * (1 + rate.cwiseAbs().maxCoeff())) << i;
    EXPECT_NEAR(error[i].derivative(2), acceleration[i],
                1e-12 * (1 + acceleration.cwiseAbs().maxCoeff()))
        << i;
  }
}

// What moves the frame's own link alone moves the tool with it.
TEST_P(OutputsInAFrame, DoNotSeeWhatCarriesBoth) {
  Matrix J(6, robot.nv());
  output_jacobian(robot, data, outputs, y, J);
  const std::string link = GetParam();
  const int last = link.empty() ? -1 : robot.coordinates().find_velocity(link);
  for (int k = 0; k < 7; ++k)
    if (k <= last)
      EXPECT_LT(J.col(k).norm(), 1e-14) << k;
    else
      EXPECT_GT(J.col(k).norm(), 1e-3) << k;
}

// A turn of the last joint turns the tool by that angle, whatever the axis and the frame.
TEST_P(OutputsInAFrame, ErrorOfAnOrientationIsTheAngle) {
  ASSERT_EQ(outputs.groups.size(), 2u);
  const OutputGroup& orientation = outputs.groups[1];
  EXPECT_EQ(orientation.quantity, Quantity::angle);
  EXPECT_EQ(orientation.rows, (std::vector<int>{3, 4, 5}));
  for (const double angle : {-2.5, -0.3, 1e-5, 0.7, 3.0}) {
    Vector turned = q, now(6);
    turned[6] += angle;
    kinematics<double>(robot, data, turned);
    output_values(robot, data, turned, none, outputs, now);
    // 1e-13: rounding of a dozen products of rotations
    EXPECT_NEAR(error_size(orientation, now, y), std::abs(angle), 1e-13);
    EXPECT_NEAR(*largest_error(outputs, Quantity::angle, now, y), std::abs(angle), 1e-13);
  }
}

// The error of a position is how far the tool is from its point, in any frame.
TEST_P(OutputsInAFrame, ErrorOfAPositionIsTheDistance) {
  const OutputGroup& position = outputs.groups[0];
  EXPECT_EQ(position.quantity, Quantity::length);
  EXPECT_EQ(position.rows, (std::vector<int>{0, 1, 2}));
  const Frame& tool = robot.frames()[position.position()->frame];
  const Vector3 before = frame_position(data, tool);
  Vector moved = q, now(6);
  moved[6] += 0.4;  // carries the tool but none of the frames
  moved[5] -= 0.3;
  kinematics<double>(robot, data, moved);
  output_values(robot, data, moved, none, outputs, now);
  const double distance = (frame_position(data, tool) - before).norm();
  EXPECT_GT(distance, 1e-3);
  EXPECT_NEAR(error_size(position, now, y), distance, 1e-14);  // rounding of positions of 1 m
}

INSTANTIATE_TEST_SUITE_P(Frames, OutputsInAFrame, testing::Values("", "link1", "link3"));

// Outputs of a task with other names, on the robot of an example.
Outputs outputs_of(const std::string& example, const std::vector<std::string>& names) {
  Job job = example_job(example);
  job.task.outputs = names;
  return find_outputs(Robot(job.robot), job.task);
}

TEST(OutputGroups, ComponentsOfOneFrameAreOneDistance) {
  const Outputs outputs = outputs_of("e12_bdf", {"tool.z", "fore", "tool.x"});
  ASSERT_EQ(outputs.groups.size(), 2u);
  EXPECT_EQ(outputs.groups[0].rows, (std::vector<int>{0, 2}));
  EXPECT_EQ(outputs.groups[0].position()->axes, (std::vector<int>{2, 0}));
  EXPECT_EQ(outputs.groups[1].rows, (std::vector<int>{1}));
  EXPECT_EQ(outputs.groups[1].position(), nullptr);
  const Vector3 y_d(1, 2, 3), y = y_d + Vector3(-3, 0.5, 4);
  EXPECT_EQ(largest_error(outputs, Quantity::length, y, y_d), 5);
  EXPECT_EQ(largest_error(outputs, Quantity::angle, y, y_d), 0.5);
  EXPECT_EQ(largest_error(outputs, Quantity::force, y, y_d), std::nullopt);
}

TEST(OutputGroups, FramesAreSeparate) {
  const Outputs outputs = outputs_of("e12_bdf", {"tool.x", "hand.z"});
  EXPECT_EQ(outputs.groups.size(), 2u);
  EXPECT_EQ(largest_error(outputs, Quantity::length, Vector2(3, -4), Vector2(0, 0)), 4);
}

TEST(OutputGroups, JointsAreSeparate) {
  const Outputs turning = outputs_of("e12_bdf", {"upper", "fore"});
  EXPECT_EQ(turning.groups.size(), 2u);
  EXPECT_EQ(largest_error(turning, Quantity::angle, Vector2(3, -4), Vector2(0, 0)), 4);
  EXPECT_FALSE(turning.has(Quantity::length));
  const Outputs sliding = outputs_of("two_cars", {"front", "rear"});
  EXPECT_EQ(sliding.groups.size(), 2u);
  EXPECT_EQ(largest_error(sliding, Quantity::length, Vector2(3, -4), Vector2(0, 0)), 4);
  EXPECT_FALSE(sliding.has(Quantity::angle));
}

TEST(OutputGroups, ForcesAreNoMotions) {
  const Outputs outputs = outputs_of("polishing", {"tool.x", "contact.force", "tool.y"});
  EXPECT_EQ(outputs.motions, (std::vector<int>{0, 2}));
  ASSERT_EQ(outputs.forces.size(), 1u);
  EXPECT_EQ(outputs.forces[0].output, 1);
  EXPECT_EQ(outputs.forces[0].constraint, 0);
  EXPECT_EQ(outputs.rows[1].name, "contact.force");
  EXPECT_EQ(outputs.rows[1].quantity, Quantity::force);
  EXPECT_EQ(largest_error(outputs, Quantity::force, Vector3(9, -2, 9), Vector3::Zero()), 2);
}

TEST(OutputGroups, KnowTheRotorsTheyFollow) {
  const Robot robot(example_job("e12_bdf").robot);
  const int joint = robot.coordinates().find("fore"),
            rotor = robot.coordinates().find("fore.rotor");
  const Outputs outputs = outputs_of("e12_bdf", {"tool.x", "fore.rotor"});
  EXPECT_TRUE(outputs.follows_coordinate(rotor));
  EXPECT_FALSE(outputs.follows_coordinate(joint));
}

}  // namespace
}  // namespace tauflex
