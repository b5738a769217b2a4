// Laws of outputs in frames that stand or move: the Jacobian against Dual, the second derivative
// against Jets; and what a moving frame sees.
#include "tauflex/problem/output.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {
namespace {

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
  const int last = link.empty() ? -1 : robot.find_velocity(link);
  for (int k = 0; k < 7; ++k)
    if (k <= last)
      EXPECT_LT(J.col(k).norm(), 1e-14) << k;
    else
      EXPECT_GT(J.col(k).norm(), 1e-3) << k;
}

INSTANTIATE_TEST_SUITE_P(Frames, OutputsInAFrame, testing::Values("", "link1", "link3"));

}  // namespace
}  // namespace tauflex
