// Closed form: what is left of a robot without elasticity.
#include "tauflex/model/rigid_twin.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace tauflex {
namespace {

Link link(const std::string& name, const std::string& parent) {
  Link link;
  link.name = name;
  link.joint.parent = parent;
  link.joint.X_PJ.p = {0.5, 0, 0};
  link.inertia.mass = 1;
  link.inertia.about_com = Matrix3::Identity();
  link.inertia.given.fill(true);
  return link;
}

TEST(RigidTwin, IsFixedWhereItWasSprung) {
  RobotDescription robot;
  robot.links = {link("base", "world"), link("arm", "base"), link("hand", "arm"),
                 link("swing", "hand")};
  robot.links[0].drive =
      Drive{.rotor_inertia = 0.2, .gear_ratio = 5, .elastic = Drive::Elasticity{.stiffness = 9}};
  robot.links[0].springs.free[1] = robot.links[0].springs.free[3] = true;  // y, rx
  robot.links[0].springs.spring[1] = robot.links[0].springs.spring[3] = {.stiffness = 3};
  robot.links[1].spring = Spring{.stiffness = 4};
  robot.links[1].joint.zero = 0.25;
  robot.links[2].joint.type = JointType::prismatic;
  robot.links[2].spring = Spring{.table = {{0, 0}, {1, 1}}};
  robot.links[3].spring = Spring{.damping = 1};  // holds nothing
  const Robot elastic(robot);
  Vector q = Vector::Zero(elastic.nq());
  const auto put = [&](const char* name, double value) {
    q[elastic.coordinates().find(name)] = value;
  };
  put("base.y", 0.1);
  put("base.rx", 0.2);
  put("arm", 0.3);
  put("hand", 0.4);
  const Robot twin = rigid_twin(elastic, q);
  EXPECT_EQ(twin.coordinates().names, (std::vector<std::string>{"base", "swing"}));
  EXPECT_EQ(twin.rotors(), 0);
  EXPECT_EQ(twin.actuation().armature[0], 25 * 0.2);
  const auto& links = twin.description().links;
  EXPECT_LT((links[0].joint.X_PJ.p - Vector3(0.5, 0.1, 0)).norm(), 1e-15);
  EXPECT_LT((links[0].joint.X_PJ.R - rotation_from_rpy({0.2, 0, 0})).norm(), 1e-15);
  EXPECT_LT((links[1].joint.X_PJ.R - rotation_from_rpy({0, 0, 0.55})).norm(), 1e-15);
  EXPECT_LT((links[2].joint.X_PJ.p - Vector3(0.5, 0, 0.4)).norm(), 1e-15);
}

TEST(RigidTwin, StaysFreeWhereNothingButDampersResist) {
  RobotDescription robot;
  robot.links = {link("cart", "world")};
  robot.links[0].joint.type = JointType::fixed;
  robot.links[0].springs.free = {true, true, false, false, false, true};
  robot.links[0].springs.spring.fill({.damping = 2});
  const Robot damped(robot);
  EXPECT_EQ(rigid_twin(damped, Vector::Zero(3)).coordinates().names, damped.coordinates().names);
}

}  // namespace
}  // namespace tauflex
