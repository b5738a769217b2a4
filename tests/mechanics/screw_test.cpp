// Closed form: a cart that a motor moves by a gear and a screw.
#include <gtest/gtest.h>

#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

Robot cart(const std::string& drive) {
  return Robot(
      read_robot(Node::read_text("links:\n- {name: cart, mass: 12, joint: {parent: world, type: "
                                 "prismatic, axis: x}, drive: {" +
                                     drive + "}}",
                                 "job.yaml")));
}

// n = 2 pi 3 / 0.01 rad/m:  u = m a / n + J n a + b n v
TEST(Screw, HasTorqueAndTurnsAtTheMotor) {
  const Robot robot =
      cart("rotor_inertia: 2e-4, friction: 0.003, gear_ratio: 3, lead: 0.01, limits: {torque: 2}");
  const double n = 2 * M_PI * 3 / 0.01, v = 0.4, a = 5;
  MechanicsData data(robot);
  joint_torques<double>(robot, data, Vector::Constant(1, 0.1), Vector::Constant(1, v),
                        Vector::Constant(1, a));
  const DriveLayout& drive = robot.actuation().drives[0];
  const double u = 12 * a / n + 2e-4 * n * a + 0.003 * n * v;
  EXPECT_NEAR(data.tau[0] / drive.gear_ratio, u, 1e-13 * u);  // rounding
  EXPECT_TRUE(drive.motor_turns);
  EXPECT_FALSE(robot.coordinates().is_angle[0]);
}

TEST(Screw, StretchesInMetresAtTheJoint) {
  const Robot robot = cart("rotor_inertia: 2e-4, lead: -0.02, stiffness: 1e6, damping: 100");
  EXPECT_EQ(robot.coordinates().names, (std::vector<std::string>{"cart", "cart.rotor"}));
  EXPECT_FALSE(robot.coordinates().is_angle[0]);
  EXPECT_TRUE(robot.coordinates().is_angle[1]);
  // a quarter turn of a left-hand screw with 20 mm per turn: -5 mm
  EXPECT_NEAR(robot.actuation().gears[0].ratio * M_PI / 2, -0.005, 1e-17);  // rounding
  EXPECT_FALSE(cart("rotor_inertia: 3").actuation().drives[0].motor_turns);
}

TEST(Screw, BelongsToPrismaticJoints) {
  const auto message = [](const std::string& joint, const std::string& lead) {
    try {
      Robot{
          read_robot(Node::read_text("links:\n- {name: cart, mass: 12, inertia: {zz: 1}, joint: "
                                     "{parent: world, type: " +
                                         joint + ", axis: z}, drive: {lead: " + lead + "}}",
                                     "job.yaml"))};
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("prismatic", "0.01"), "no error");
  EXPECT_EQ(message("revolute", "0.01"),
            "job.yaml:2: links.cart: lead is that of a screw that moves a prismatic joint");
  EXPECT_EQ(
      message("prismatic", "0"),
      "job.yaml:2: links.cart.drive.lead: must not be 0, it is the way per turn of the screw in "
      "m");
}

}  // namespace
}  // namespace tauflex
