// Oracle: MuJoCo, another algorithm in other frames, on random trees.
#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/mujoco_robot.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

constexpr double tolerance = 1e-12;  // relative to the largest entry; measured 1e-14, rounding
constexpr double solved = 1e-11;     // accelerations: the same times the condition of M, about 1e3

class MujocoOracle : public ::testing::TestWithParam<unsigned> {
 protected:
  MujocoOracle()
      : robot(random_robot(GetParam(), {.links = 4 + static_cast<int>(GetParam()),
                                        .branches = GetParam() % 3 != 0,
                                        .couplings = false})),
        data(robot),
        oracle(robot) {
    Random random(1000 + GetParam());
    q = random.vector(robot.nq(), 3);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    u = random.vector(static_cast<int>(robot.actuation().drives.size()), 10);
    oracle.set(q, v, vdot);
  }

  Robot robot;
  MechanicsData data;
  MujocoRobot oracle;
  Vector q, v, vdot, u;
};

TEST_P(MujocoOracle, AgreesOnInverseDynamics) {
  inverse_dynamics<double>(robot, data, q, v, vdot);
  EXPECT_LT(relative_difference(data.tau, oracle.inverse_dynamics()), tolerance);
}

TEST_P(MujocoOracle, AgreesOnJointTorquesWithSpringsArmaturesAndFriction) {
  joint_torques<double>(robot, data, q, v, vdot);
  EXPECT_LT(relative_difference(data.tau, oracle.joint_torques()), tolerance);
}

TEST_P(MujocoOracle, AgreesOnTheMassMatrix) {
  mass_matrix(robot, data, q);
  EXPECT_LT(relative_difference(data.M, oracle.mass_matrix()), tolerance);
}

TEST_P(MujocoOracle, AgreesOnForwardDynamics) {
  Vector acceleration(robot.nv());
  forward_dynamics(robot, data, q, v, u, acceleration);
  // What the drives give at the joints; MuJoCo knows the rest.
  Vector tau = Vector::Zero(robot.tree_nv());
  int rotor = 0;
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d) {
    const DriveLayout& drive = robot.actuation().drives[d];
    tau[drive.joint_v] = drive.rotor_v < 0 ? drive.gear_ratio * u[static_cast<Eigen::Index>(d)]
                                           : data.spring_torque[rotor++];
  }
  EXPECT_LT(relative_difference(acceleration.head(robot.tree_nv()), oracle.accelerations(tau)),
            solved);
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, MujocoOracle, ::testing::Range(0u, 30u));

}  // namespace
}  // namespace tauflex
