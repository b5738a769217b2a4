// Oracle: DART, body-fixed frames and Lie group formulas, on random trees of rigid bodies.
#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/dart_robot.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

constexpr double tolerance = 1e-12;  // relative to the largest entry; measured 1e-14, rounding
constexpr double solved = 1e-11;     // accelerations: the same times the condition of M, about 1e3

class DartOracle : public ::testing::TestWithParam<unsigned> {
 protected:
  DartOracle()
      : robot(random_robot(GetParam(), {.links = 4 + static_cast<int>(GetParam()),
                                        .branches = GetParam() % 3 != 0,
                                        .drives = false,
                                        .springs = false})),
        data(robot),
        oracle(robot) {
    Random random(1000 + GetParam());
    q = random.vector(robot.nq(), 3);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    tau = random.vector(robot.nv(), 50);
    oracle.set(q, v, vdot);
  }

  Robot robot;
  MechanicsData data;
  DartRobot oracle;
  Vector q, v, vdot, tau;
};

TEST_P(DartOracle, AgreesOnInverseDynamics) {
  inverse_dynamics<double>(robot, data, q, v, vdot);
  oracle.compute_inverse_dynamics();
  EXPECT_LT(relative_difference(data.tau, oracle.torques()), tolerance);
}

TEST_P(DartOracle, AgreesOnTheMassMatrix) {
  mass_matrix(robot, data, q);
  EXPECT_LT(relative_difference(data.M, oracle.mass_matrix()), tolerance);
}

TEST_P(DartOracle, AgreesOnForwardDynamics) {
  Vector acceleration(robot.tree_nv());
  tree_accelerations(robot, data, q, v, tau, acceleration);
  oracle.set_torques(tau);
  oracle.compute_forward_dynamics();
  EXPECT_LT(relative_difference(acceleration, oracle.accelerations()), solved);
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, DartOracle, ::testing::Range(0u, 30u));

}  // namespace
}  // namespace tauflex
