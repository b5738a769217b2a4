// Law: every hand-written Jacobian is the derivative of its function, by Dual.
#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

constexpr double tolerance = 1e-12;  // relative to the largest entry; both are exact but rounding

class Jacobians : public ::testing::TestWithParam<unsigned> {
 protected:
  Jacobians()
      : robot(random_robot(GetParam(), {.links = 3 + static_cast<int>(GetParam() % 100),
                                        .branches = GetParam() % 3 != 0,
                                        .beams = GetParam() >= 100})),
        data(robot),
        dual(robot) {
    Random random(2000 + GetParam());
    q = with_small_deflections(robot.description(), random.vector(robot.nq(), 3));
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
  }

  // Derivatives of data.tau, as `torques` computes it, with respect to q, v and vdot of the tree.
  template <class F>
  void expect_derivatives_of(const Robot& of, const F& torques) {
    const int n = of.tree_nv();
    const VectorOf<Dual> q0 = q.cast<Dual>(), v0 = v.cast<Dual>(), a0 = vdot.cast<Dual>();
    const auto tau = [&](const VectorOf<Dual>& q1, const VectorOf<Dual>& v1,
                         const VectorOf<Dual>& a1) -> VectorOf<Dual> {
      torques(of, dual, q1, v1, a1);
      return dual.tau;
    };
    const auto by_q = [&](const VectorOf<Dual>& x) { return tau(x, v0, a0); };
    const auto by_v = [&](const VectorOf<Dual>& x) { return tau(q0, x, a0); };
    const auto by_vdot = [&](const VectorOf<Dual>& x) { return tau(q0, v0, x); };
    const Matrix dtau_dq = dual_jacobian(by_q, q).leftCols(n);
    const Matrix dtau_dv = dual_jacobian(by_v, v).leftCols(n);
    const Matrix M = dual_jacobian(by_vdot, vdot).leftCols(n);
    EXPECT_LT(relative_difference(data.dtau_dq, dtau_dq), tolerance);
    EXPECT_LT(relative_difference(data.dtau_dv, dtau_dv), tolerance);
    EXPECT_LT(relative_difference(data.M, M), tolerance);
    Vector value(n);
    for (int k = 0; k < n; ++k) value[k] = dual.tau[k].value;
    EXPECT_LT(relative_difference(data.tau, value), tolerance);
  }

  Robot robot;
  MechanicsData data;
  MotionData<Dual> dual;
  Vector q, v, vdot;
};

TEST_P(Jacobians, OfInverseDynamics) {
  inverse_dynamics_derivatives(robot, data, q, v, vdot);
  // M is that of the robot, with the armatures that inverse_dynamics() leaves to joint_torques().
  data.M.diagonal() -= robot.actuation().armature;
  expect_derivatives_of(robot, inverse_dynamics<Dual>);
}

TEST_P(Jacobians, OfJointTorques) {
  joint_torque_derivatives(robot, data, q, v, vdot);
  expect_derivatives_of(robot, joint_torques<Dual>);
}

TEST_P(Jacobians, OfJointTorquesOfALinearizedRobot) {
  const Robot linear = linearized_at(robot, q);
  q *= -0.7;  // away from where the mass matrix was taken
  joint_torque_derivatives(linear, data, q, v, vdot);
  expect_derivatives_of(linear, joint_torques<Dual>);
}

// A workspace may serve one function after the other, in any order.
TEST_P(Jacobians, DoNotDependOnWhatTheWorkspaceHeld) {
  joint_torque_derivatives(robot, data, -q, v, vdot);
  joint_torque_derivatives(robot, data, q, v, vdot);
  expect_derivatives_of(robot, joint_torques<Dual>);
  inverse_dynamics_derivatives(robot, data, q, v, vdot);
  data.M.diagonal() -= robot.actuation().armature;
  expect_derivatives_of(robot, inverse_dynamics<Dual>);
}

TEST_P(Jacobians, OfDriveSprings) {
  if (robot.rotors() == 0) return;
  const auto torque = [&](const VectorOf<Dual>& q1, const VectorOf<Dual>& v1) -> VectorOf<Dual> {
    drive_spring_torques<Dual>(robot, dual, q1, v1);
    return dual.spring_torque;
  };
  const VectorOf<Dual> q0 = q.cast<Dual>(), v0 = v.cast<Dual>();
  const Matrix by_q = dual_jacobian([&](const VectorOf<Dual>& x) { return torque(x, v0); }, q);
  const Matrix by_v = dual_jacobian([&](const VectorOf<Dual>& x) { return torque(q0, x); }, v);
  // tau_s = K (q_m/n - q) + D (v_m/n - v), linear
  Matrix K = Matrix::Zero(robot.rotors(), robot.nv()), D = K;
  for (const SpringEntry& e : robot.actuation().springs) {
    const int index = robot.actuation().elastic[static_cast<size_t>(e.column)];
    const DriveLayout& drive = robot.actuation().drives[static_cast<size_t>(index)];
    K(e.row, drive.rotor_v) += e.stiffness / drive.gear_ratio;
    K(e.row, drive.joint_v) -= e.stiffness;
    D(e.row, drive.rotor_v) += e.damping / drive.gear_ratio;
    D(e.row, drive.joint_v) -= e.damping;
  }
  EXPECT_LT(relative_difference(by_q, K), tolerance);
  EXPECT_LT(relative_difference(by_v, D), tolerance);
  drive_spring_torques<double>(robot, data, q, v);
  const Vector expected = K * q + D * v;
  EXPECT_LT(relative_difference(data.spring_torque, expected), tolerance);
}

TEST_P(Jacobians, OfFramePositions) {
  for (const Frame& frame : robot.frames()) {
    const Matrix expected = dual_jacobian(
        [&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
          kinematics<Dual>(robot, dual, x);
          return as_vector<Dual>(frame_position(dual, frame));
        },
        q);
    Matrix J(3, robot.tree_nv());
    kinematics<double>(robot, data, q);
    frame_jacobian<double>(robot, data, frame, J);
    EXPECT_LT(relative_difference(J, expected.leftCols(robot.tree_nv())), tolerance) << frame.name;
  }
}

TEST_P(Jacobians, OfFrameVelocities) {
  for (const Frame& frame : robot.frames()) {
    const Matrix expected = dual_jacobian(
        [&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
          kinematics<Dual>(robot, dual, x);
          MatrixOf<Dual> J(3, robot.tree_nv());
          frame_jacobian<Dual>(robot, dual, frame, J);
          return J * v.head(robot.tree_nv()).cast<Dual>();
        },
        q);
    Matrix dJv_dq(3, robot.tree_nv());
    kinematics<double>(robot, data, q);
    frame_jacobian_derivative(robot, data, frame, v, dJv_dq);
    EXPECT_LT(relative_difference(dJv_dq, expected.leftCols(robot.tree_nv())), tolerance)
        << frame.name;
  }
}

// The power is quadratic in v, so central differences are exact but for rounding.
TEST_P(Jacobians, OfDissipatedPower) {
  Vector gradient = Vector::Zero(robot.nv()), expected(robot.nv());
  kinematics<double>(robot, data, q);
  add_dissipated_power_gradient(robot, data, v, gradient);
  for (int k = 0; k < robot.nv(); ++k) {
    const Vector step = Vector::Unit(robot.nv(), k);
    expected[k] =
        (dissipated_power(robot, data, v + step) - dissipated_power(robot, data, v - step)) / 2;
  }
  EXPECT_LT(relative_difference(gradient, expected), tolerance);
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, Jacobians, ::testing::Range(0u, 12u));
INSTANTIATE_TEST_SUITE_P(RobotsWithBeams, Jacobians, ::testing::Range(100u, 108u));

}  // namespace
}  // namespace tauflex
