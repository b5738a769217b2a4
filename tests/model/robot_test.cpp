// Closed form: the layout of a small robot, its payloads and couplings.
#include <gtest/gtest.h>

#include "small_robot.hpp"

namespace tauflex {
namespace {

TEST(Robot, AcceptsASmallRobot) { EXPECT_EQ(message(small_robot()), "no error"); }

TEST(Robot, LaysOutCoordinatesDrivesAndSprings) {
  const Robot robot(small_robot());
  EXPECT_EQ(robot.nq(), 4);
  EXPECT_EQ(robot.nv(), 4);
  EXPECT_EQ(robot.tree_nq(), 3);
  EXPECT_EQ(robot.tree_nv(), 3);
  EXPECT_EQ(robot.rotors(), 1);
  const std::vector<std::string> names = {"base", "arm", "hand", "arm.rotor"};
  EXPECT_EQ(robot.coordinates().names, names);
  EXPECT_EQ(robot.actuation().names, (std::vector<std::string>{"base", "arm"}));
  EXPECT_EQ(robot.coordinates().find("arm.rotor"), 3);
  EXPECT_EQ(robot.coordinates().find("tip"), -1);
  EXPECT_EQ(robot.tree().find_link("tip"), 3);
  EXPECT_EQ(robot.tree().find_link("tool"), -1);
  EXPECT_EQ(robot.find_frame("bench"), 1);
  EXPECT_EQ(robot.frames()[static_cast<size_t>(robot.find_frame("hand"))].body, 2);
  EXPECT_EQ(robot.find_frame("nobody"), -1);
  EXPECT_TRUE(robot.coordinates().is_angle[1]);
  EXPECT_FALSE(robot.coordinates().is_angle[2]);
  EXPECT_TRUE(robot.coordinates().is_angle[3]);
  EXPECT_EQ(robot.coordinates().lowest[1], -2);
  EXPECT_EQ(robot.coordinates().highest[1], 1);
  EXPECT_EQ(robot.coordinates().lowest[3], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(robot.actuation().armature, Vector3(10, 0, 0));  // n^2 J of the rigid drive
  EXPECT_EQ(robot.springs().rest, Vector3(0, 0, 0.1));
  EXPECT_EQ(robot.gravity(), Vector3(0, 0, -9.81));
  EXPECT_EQ(robot.tree().dof_parent, (std::vector<int>{-1, 0, 1}));

  const DriveLayout& rigid = robot.actuation().drives[0];
  EXPECT_EQ(rigid.row(), 0);
  EXPECT_EQ(rigid.lever(), 10);
  const DriveLayout& elastic = robot.actuation().drives[1];
  EXPECT_EQ(elastic.row(), 3);
  EXPECT_EQ(elastic.lever(), 1);
  EXPECT_EQ(robot.actuation().elastic, std::vector<int>{1});
  ASSERT_EQ(robot.springs().joint.size(), 1u);
  EXPECT_EQ(robot.springs().joint[0].row, 2);
  EXPECT_EQ(robot.springs().joint[0].stiffness, 500);
  ASSERT_EQ(robot.actuation().springs.size(), 1u);
  EXPECT_EQ(robot.actuation().springs[0].damping, 10);
  EXPECT_FALSE(robot.is_linearized());
}

TEST(Robot, SortsLinksParentsFirst) {
  RobotDescription description = small_robot();
  std::reverse(description.links.begin(), description.links.end());
  const Robot robot(description);
  for (size_t i = 0; i < robot.tree().bodies.size(); ++i)
    EXPECT_LT(robot.tree().bodies[i].parent, static_cast<int>(i));
  EXPECT_EQ(robot.tree().link_names[0], "base");
  EXPECT_EQ(robot.tree().link_names[3], "tip");
}

TEST(Robot, TakesAMovableJointBehindAFixedOne) {
  RobotDescription description = small_robot();
  description.links.push_back(revolute("finger", "tip"));
  const Robot robot(description);
  EXPECT_EQ(robot.tree().dof_parent, (std::vector<int>{-1, 0, 1, 2}));
}

TEST(Robot, HasNoGravityWhenLinearized) {
  RobotDescription description = small_robot();
  description.dynamics = DynamicsKind::linearized_at_start;
  EXPECT_EQ(Robot(description).gravity(), Vector3(0, 0, 0));
}

TEST(Robot, PutsCouplingsInPlaceOfTheLinksOwnValues) {
  RobotDescription description = small_robot();
  link(description, "arm").spring = {100, 1, 0};
  description.couplings = {{{"hand", "arm"}, false, symmetric(), Matrix(), ""}};
  const Robot robot(description);
  Matrix K = Matrix::Zero(3, 3), D = K, K_expected = K, D_expected = K;
  for (const SpringEntry& e : robot.springs().joint) {
    K(e.row, e.column) = e.stiffness;
    D(e.row, e.column) = e.damping;
  }
  K_expected.bottomRightCorner(2, 2) << 20, 1, 1, 10;  // arm, hand
  D_expected.diagonal() << 0, 1, 5;                    // damping was not coupled
  EXPECT_EQ(K, K_expected);
  EXPECT_EQ(D, D_expected);
}

TEST(Payload, OnALinkWithoutMass) {
  RobotDescription robot = small_robot();
  robot.links[2].inertia = {};
  LinkInertia point;
  point.mass = 1;
  EXPECT_NO_THROW(Robot(with_payload(robot, "hand", point)));
}

// Closed form: two equal masses end to end.
TEST(Payload, AddsMassMovesTheCentreAndAddsInertia) {
  LinkInertia payload;
  payload.mass = 1;
  payload.com = {2, 0, 0};
  payload.about_com = Matrix3::Identity();
  const RobotDescription loaded = with_payload(small_robot(), "hand", payload);
  const LinkInertia& sum = loaded.links[2].inertia;
  EXPECT_EQ(sum.mass, 2);
  EXPECT_EQ(sum.com, Vector3(1, 0, 0));
  EXPECT_EQ(sum.about_com, Matrix3(Vector3(2, 4, 4).asDiagonal()));
}

}  // namespace
}  // namespace tauflex
