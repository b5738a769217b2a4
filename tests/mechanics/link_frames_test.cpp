// Torques in link frames against those in world axes, and many states at once against one by one.
#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/derivatives_by_lanes.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/lane_widths.hpp"
#include "tauflex/mechanics/link_frame_torques.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/torques_of_states.hpp"

namespace tauflex {
namespace {

class LinkFrames : public ::testing::TestWithParam<unsigned> {
 protected:
  LinkFrames()
      : robot(random_robot(GetParam(), {.links = 1 + static_cast<int>(GetParam() % 17),
                                        .branches = GetParam() % 3 != 0})),
        random(5000 + GetParam()) {}

  Robot robot;
  Random random;
};

// Sums of some hundred products in another order; measured 4e-15.
TEST_P(LinkFrames, GiveTheTorquesOfWorldAxes) {
  ASSERT_EQ(has_link_frames(robot), robot.tree_nv() > 0);
  MechanicsData data(robot);
  for (int i = 0; i < 20; ++i) {
    const Vector q = random.vector(robot.nq(), 3), v = random.vector(robot.nv(), 2),
                 vdot = random.vector(robot.nv(), 5);
    inverse_dynamics<double>(robot, data, q, v, vdot);
    const Vector tau = data.tau;
    body_forces<double>(robot, data, q, v, vdot);
    EXPECT_LT(relative_difference(tau, data.tau), 1e-13);
  }
}

// Every number of lanes, the last states alone in their lanes, angles that the library reduces.
TEST_P(LinkFrames, GiveTheSameBitsInEveryLane) {
  constexpr int states = 37;
  Matrix q(robot.nq(), states), v(robot.nv(), states), vdot(robot.nv(), states);
  for (int i = 0; i < states; ++i) {
    q.col(i) = random.vector(robot.nq(), i % 5 == 0 ? 1e15 : i % 5 == 1 ? 1e5 : 4);
    v.col(i) = random.vector(robot.nv(), 2);
    vdot.col(i) = random.vector(robot.nv(), 5);
  }
  MechanicsData data(robot);
  Matrix expected(robot.tree_nv(), states);
  for (int i = 0; i < states; ++i) {
    inverse_dynamics<double>(robot, data, q.col(i), v.col(i), vdot.col(i));
    add_armatures_and_springs<double>(robot, data, q.col(i), v.col(i), vdot.col(i));
    expected.col(i) = data.tau;
  }
  for (const int width : lane_widths()) {
    StatesData lanes(robot, width);
    Matrix tau = Matrix::Zero(robot.tree_nv(), states);
    torques_of_states(robot, lanes, q, v, vdot, tau);
    EXPECT_TRUE(tau == expected) << width << " lanes";
    for (const int few : {0, 1, 9}) {
      Matrix some = Matrix::Zero(robot.tree_nv(), few);
      torques_of_states(robot, lanes, q.leftCols(few), v.leftCols(few), vdot.leftCols(few), some);
      EXPECT_TRUE(some == expected.leftCols(few)) << width << " lanes, " << few << " states";
    }
  }
}

// The derivatives themselves are compared with Dual in jacobians_test.cpp.
TEST_P(LinkFrames, GiveTheSameDerivativesInEveryLane) {
  const Vector q = random.vector(robot.nq(), 3), v = random.vector(robot.nv(), 2),
               vdot = random.vector(robot.nv(), 5);
  if (!has_link_frames(robot)) return;
  MechanicsData two(robot);
  derivatives_by_lanes(robot, two, q, v, vdot, 2);
  for (const int width : lane_widths()) {
    if (width == 1) continue;
    MechanicsData data(robot);
    for (const double past : {-1.0, 1.0})  // nothing is left of the state before
      derivatives_by_lanes(robot, data, past * q, v, vdot, width);
    EXPECT_TRUE(data.tau == two.tau) << width << " lanes";
    EXPECT_TRUE(data.M == two.M) << width << " lanes";
    EXPECT_TRUE(data.dtau_dq == two.dtau_dq) << width << " lanes";
    EXPECT_TRUE(data.dtau_dv == two.dtau_dv) << width << " lanes";
  }
  EXPECT_EQ(lane_width_for(1), 2);
  EXPECT_EQ(lane_width_for(100), lane_widths().back());
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, LinkFrames, ::testing::Range(0u, 24u));

TEST(LinkFrame, IsThereForSingleAxesOnly) {
  EXPECT_TRUE(has_link_frames(Robot(benchmark_chain(3))));
  EXPECT_FALSE(has_link_frames(Robot(random_robot(1, {.links = 8, .quaternions = true}))));
  EXPECT_FALSE(has_link_frames(Robot(random_robot(1, {.links = 8, .beams = true}))));
}

// Whatever the robot, a column is what joint_torques() gives: springs between frames and beams,
// linearised robots.
TEST(TorquesOfStates, AreThoseOfEachState) {
  Random random(8);
  std::vector<Robot> robots;
  robots.emplace_back(random_robot(1, {.links = 8, .quaternions = true}));
  robots.emplace_back(random_robot(2, {.links = 6, .beams = true}));
  RobotDescription sprung = random_robot(3);
  FrameSpring spring;
  spring.name = "cable";
  spring.a = "tool";
  spring.b = "bench";
  spring.stiffness = 200;
  spring.damping = 3;
  spring.length = 0.3;
  sprung.frame_springs.push_back(spring);
  robots.emplace_back(sprung);
  const Robot tree(random_robot(4));
  robots.push_back(linearized_at(tree, random.vector(tree.nq(), 1)));
  for (const Robot& robot : robots) {
    Matrix q(robot.nq(), 11), v(robot.nv(), 11), vdot(robot.nv(), 11), tau(robot.tree_nv(), 11);
    for (int i = 0; i < 11; ++i) {
      q.col(i) = with_small_deflections(robot.description(), random.vector(robot.nq(), 1));
      v.col(i) = random.vector(robot.nv(), 2);
      vdot.col(i) = random.vector(robot.nv(), 5);
    }
    StatesData states(robot);
    torques_of_states(robot, states, q, v, vdot, tau);
    MechanicsData data(robot);
    for (int i = 0; i < 11; ++i) {
      joint_torques<double>(robot, data, q.col(i), v.col(i), vdot.col(i));
      EXPECT_LT(relative_difference(tau.col(i), data.tau), 1e-13) << i;  // rounding
    }
  }
}

}  // namespace
}  // namespace tauflex
