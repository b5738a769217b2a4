// Laws of how velocities move frames: each motion is the derivative of the frame's pose, by Dual;
// velocities that are not met do not move it.
#include "tauflex/mechanics/frame_motion.hpp"

#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

class FrameMotion : public testing::TestWithParam<unsigned> {
 protected:
  FrameMotion()
      : robot(random_robot(GetParam(), {.links = 9, .beams = GetParam() >= 100})), data(robot) {
    Random random(3000 + GetParam());
    q = with_small_deflections(robot.description(), random.vector(robot.nq(), 3));
    v = random.vector(robot.nv(), 2);
    kinematics<double>(robot, data, q);
  }
  Robot robot;
  MechanicsData data;
  Vector q, v;
};

// No joint here has a quaternion: coordinate k belongs to velocity k.
TEST_P(FrameMotion, IsTheDerivativeOfThePose) {
  MotionData<Dual> dual(robot);
  for (const Frame& frame : robot.frames())
    for (int k = 0; k < robot.tree_nv(); ++k) {
      kinematics<Dual>(robot, dual, along(q, Vector::Unit(robot.nq(), k)));
      const Vector3Of<Dual> p = frame_position(dual, frame);
      const Matrix3Of<Dual> R = frame_rotation(dual, frame);
      Matrix3 value, slope;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          value(i, j) = R(i, j).value;
          slope(i, j) = R(i, j).slope;
        }
      const Motion<double> X = motion_of(robot, data, frame, k);
      const Vector3 p_value = frame_position(data, frame), velocity = X.v + X.w.cross(p_value);
      // 1e-13: rounding of nine joints one after the other
      EXPECT_LT((slope * value.transpose() - skew<double>(X.w)).norm(), 1e-13) << frame.name;
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(velocity[i], p[i].slope, 1e-13 * (1 + p_value.norm())) << frame.name;
    }
}

TEST_P(FrameMotion, MeetsEveryVelocityThatMovesTheFrameOnce) {
  for (const Frame& frame : robot.frames()) {
    std::vector<int> met(robot.tree_nv(), 0);
    for_each_motion(robot, data, frame, [&](int k, const Motion<double>& X) {
      ++met[k];
      const Motion<double> same = motion_of(robot, data, frame, k);
      EXPECT_EQ(X.w, same.w);
      EXPECT_EQ(X.v, same.v);
    });
    for (int k = 0; k < robot.tree_nv(); ++k) {
      const Motion<double> X = motion_of(robot, data, frame, k);
      // the inner nodes of a beam may leave its end where it is
      if (met[k] > 0 && same_beam(robot, k, k)) continue;
      EXPECT_EQ(met[k], X.w.norm() + X.v.norm() > 0 ? 1 : 0) << frame.name << k;
    }
  }
}

TEST_P(FrameMotion, SumsToTheVelocity) {
  const Frame& frame = robot.frames()[robot.find_frame("tool")];
  Matrix J(3, robot.tree_nv());
  frame_jacobian<double>(robot, data, frame, J);
  const Motion<double> V = velocity_of<double>(robot, data, frame, v);
  const Vector3 expected = J * v.head(robot.tree_nv());
  const Vector3 p = frame_position(data, frame);
  EXPECT_LT((V.v + V.w.cross(p) - expected).norm(), 1e-13 * (1 + expected.norm()));
}

// M_kk = X_k . I X_k of all that velocity k moves.
TEST_P(FrameMotion, MovesTheInertiaItCarries) {
  mass_matrix(robot, data, q);
  for (const Frame& frame : robot.frames())
    for_each_motion(robot, data, frame, [&](int k, const Motion<double>& X) {
      if (same_beam(robot, k, k)) return;  // moves its own mass in other ways
      const double inertia =
          dot(X, carried_inertia(robot, data, k) * X) + robot.actuation().armature[k];
      EXPECT_NEAR(inertia, data.M(k, k), 1e-13 * data.M(k, k)) << k;
    });
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, FrameMotion, testing::Range(1u, 7u));
INSTANTIATE_TEST_SUITE_P(RobotsWithBeams, FrameMotion, testing::Range(100u, 104u));

}  // namespace
}  // namespace tauflex
