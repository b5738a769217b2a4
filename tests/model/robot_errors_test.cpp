// Error messages: every rule of Robot, each broken once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "small_robot.hpp"
#include "tauflex/base/errors.hpp"

namespace tauflex {
namespace {

TEST(RobotErrors, OfTheWholeRobot) {
  EXPECT_EQ(message(RobotDescription{}), "robot: there are no links");
  EXPECT_EQ(message_after([](auto& robot) { robot.gravity[1] = NAN; }),
            "robot: gravity must be finite");
}

TEST(RobotErrors, OfNames) {
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.name = ""; }), "link '': a link needs a name");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.name = "world"; }),
            "link 'world': 'world' is not a name for a link, it is what the robot stands on");
  for (const char* name : {"my.arm", "my arm", "my,arm", "my;arm", "my\"arm"})
    EXPECT_EQ(arm_message_after([&](Link& arm) { arm.name = name; }),
              std::string("link '") + name + "': name '" + name +
                  "' must be a word without dots, commas, semicolons, double quotes, spaces, tabs "
                  "and line ends");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "tip").name = "arm"; }),
            "link 'arm': there are two links called 'arm'");
}

TEST(RobotErrors, NameTheFileAndLineWhenThereIsOne) {
  EXPECT_EQ(arm_message_after([](Link& arm) {
              arm.where = "arm.yaml:12: robot.links.arm";
              arm.inertia.mass = -1;
            }),
            "arm.yaml:12: robot.links.arm: mass must not be negative, got -1");
}

TEST(RobotErrors, OfParents) {
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "hand").joint.parent = "arn"; }),
            "link 'hand': parent 'arn' is not a link; did you mean 'arm'?");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "hand").joint.parent = "spaceship"; }),
            "link 'hand': parent 'spaceship' is not a link");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "arm").joint.parent = "tip"; }),
            "link 'arm': the tree has a cycle of parents: arm -> tip -> hand -> arm");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "tip").joint.parent = "tip"; }),
            "link 'tip': the tree has a cycle of parents: tip -> tip");
  // Links that hang on a cycle are not part of it.
  EXPECT_EQ(message_after([](auto& robot) {
              link(robot, "arm").joint.parent = "hand";
              std::reverse(robot.links.begin(), robot.links.end());
            }),
            "link 'hand': the tree has a cycle of parents: hand -> arm -> hand");
}

TEST(RobotErrors, OfJoints) {
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.joint.axis.setZero(); }),
            "link 'arm': joint axis must not be zero");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.joint.lowest = 2; }),
            "link 'arm': joint range must not be empty");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.joint.type = JointType::fixed; }),
            "link 'arm': only a revolute or prismatic joint can have a drive");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "hand").joint.type = JointType::fixed; }),
            "link 'hand': only a revolute or prismatic joint can have a spring");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "tip").joint.axis.setZero(); }),
            "no error");  // a fixed joint has no axis
}

TEST(RobotErrors, OfInertias) {
  const std::string no_body = "link 'arm': no body has this inertia: its principal moments are ";
  const std::string way_on =
      "; correct it, or write inertia: nearest beside urdf or links for the nearest possible one "
      "(tauflex pose: --set inertia=nearest)";
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.inertia.mass = -2.5; }),
            "link 'arm': mass must not be negative, got -2.5");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.inertia.about_com(1, 1) = -3; }),
            no_body + "-3, 1 and 1 kg m^2, and none may be negative" + way_on);
  EXPECT_EQ(arm_message_after(
                [](Link& arm) { arm.inertia.about_com(0, 1) = arm.inertia.about_com(1, 0) = 2; }),
            no_body + "-1, 1 and 3 kg m^2, and none may be negative" + way_on);
  EXPECT_EQ(
      arm_message_after([](Link& arm) { arm.inertia.about_com = Vector3(1, 5, 2).asDiagonal(); }),
      no_body + "1, 2 and 5 kg m^2, and none may exceed the sum of the two others" + way_on);
  // What can be said of a tensor that is given in part.
  EXPECT_EQ(arm_message_after([](Link& arm) {
              arm.inertia.given = {true, true, false, true, false, false};
              arm.inertia.about_com(0, 1) = arm.inertia.about_com(1, 0) = 2;
            }),
            "link 'arm': no body has this inertia: xy = 2 is larger than the root of xx yy = 1");
  // A thin rod and a plate are limits of bodies.
  EXPECT_EQ(
      arm_message_after([](Link& arm) { arm.inertia.about_com = Vector3(0, 2, 2).asDiagonal(); }),
      "no error");
  EXPECT_EQ(
      arm_message_after([](Link& arm) { arm.inertia.about_com = Vector3(1, 2, 3).asDiagonal(); }),
      "no error");
}

TEST(RobotErrors, OfInertiasThatAreNotGivenButExcited) {
  // base turns about z only
  EXPECT_EQ(message_after([](auto& robot) {
              link(robot, "base").inertia.given = {false, false, true, false, false, false};
            }),
            "no error");
  EXPECT_EQ(message_after([](auto& robot) {
              link(robot, "base").inertia.given = {false, false, true, true, false, false};
            }),
            "no error");  // a product of inertia needs turns about both its axes
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "base").inertia.given.fill(false); }),
            "link 'base': inertia zz is not given, but the joints turn link 'base' about its z "
            "axis");
  // arm turns about its y, and with the base about x and z
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.inertia.given[0] = false; }),
            "link 'arm': inertia xx is not given, but the joints turn link 'arm' about its x axis");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.inertia.given[4] = false; }),
            "link 'arm': inertia xz is not given, but the joints turn link 'arm' about its x and z "
            "axis");
  // without any product of inertia the axes are principal
  EXPECT_EQ(arm_message_after(
                [](Link& arm) { arm.inertia.given = {true, true, true, false, false, false}; }),
            "no error");
  // a link without mass and inertia has nothing to give
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.inertia = {}; }), "no error");
  // prismatic joints turn nothing
  EXPECT_EQ(message_after([](auto& robot) {
              for (Link& each : robot.links) {
                each.joint.type = JointType::prismatic;
                each.inertia.given.fill(false);
              }
            }),
            "no error");
}

TEST(RobotErrors, OfDrives) {
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->rotor_inertia = -1; }),
            "link 'arm': rotor_inertia must not be negative");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->rotor_inertia = 0; }),
            "link 'arm': an elastic drive needs a rotor_inertia greater than 0");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->gear_ratio = 0; }),
            "link 'arm': gear_ratio must not be 0");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->friction = -1; }),
            "link 'arm': friction must not be negative");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->elastic->stiffness = 0; }),
            "link 'arm': drive stiffness must be greater than 0");
  EXPECT_EQ(arm_message_after([](Link& arm) { arm.drive->elastic->damping = -1; }),
            "link 'arm': drive damping must not be negative");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "base").drive->rotor_inertia = 0; }),
            "no error");  // a rigid drive may be without inertia
}

TEST(RobotErrors, OfSprings) {
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "hand").spring->stiffness = -1; }),
            "link 'hand': spring stiffness must not be negative");
  EXPECT_EQ(message_after([](auto& robot) { link(robot, "hand").spring->damping = -1; }),
            "link 'hand': spring damping must not be negative");
}

// The small robot with a spring on its arm too, and a coupling of the springs of arm and hand.
std::string message_of_coupling(const std::function<void(Coupling&)>& change) {
  RobotDescription robot = small_robot();
  link(robot, "arm").spring = {100, 1, 0};
  Coupling coupling = {{"arm", "hand"}, false, symmetric(), Matrix(), ""};
  change(coupling);
  robot.couplings = {coupling};
  return message(robot);
}

TEST(RobotErrors, OfCouplings) {
  EXPECT_EQ(message_of_coupling([](Coupling&) {}), "no error");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.links[1] = "hnad"; }),
            "coupling: 'hnad' is not a link; did you mean 'hand'?");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.links[1] = "tip"; }),
            "coupling: link 'tip' has no spring");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.drives = true; }),
            "coupling: link 'hand' has no elastic drive");
  EXPECT_EQ(message_of_coupling([](Coupling& c) {
              c.drives = true;
              c.links = {"base", "arm"};  // base has a rigid drive
            }),
            "coupling: link 'base' has no elastic drive");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.stiffness = Matrix::Identity(3, 3); }),
            "coupling: stiffness must be a 2 x 2 matrix");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.damping = Matrix::Zero(2, 1); }),
            "coupling: damping must be a 2 x 2 matrix");
  EXPECT_EQ(message_of_coupling([](Coupling& c) { c.stiffness(0, 1) = 2; }),
            "coupling: stiffness must be symmetric");
  EXPECT_EQ(message_of_coupling([](Coupling& c) {
              c.where = "arm.yaml:40: robot.couplings[0]";
              c.links[0] = "nobody at all";
            }),
            "arm.yaml:40: robot.couplings[0]: 'nobody at all' is not a link");
}

TEST(RobotErrors, OfFrames) {
  EXPECT_EQ(message_after([](auto& robot) { robot.frames[0].link = "tipp"; }),
            "frame 'tool': link 'tipp' does not exist; did you mean 'tip'?");
  EXPECT_EQ(message_after([](auto& robot) { robot.frames[1].name = "tool"; }),
            "frame 'tool': the name 'tool' is taken");
  EXPECT_EQ(message_after([](auto& robot) { robot.frames[0].name = "arm"; }),
            "frame 'arm': the name 'arm' is taken");
  EXPECT_EQ(message_after([](auto& robot) {
              robot.frames[0].where = "arm.yaml:50: robot.frames.tool";
              robot.frames[0].link = "nobody";
            }),
            "arm.yaml:50: robot.frames.tool: link 'nobody' does not exist");
}

TEST(RobotErrors, OfPayloads) {
  EXPECT_THROW(
      {
        try {
          with_payload(small_robot(), "nobody", {});
        } catch (const InputError& error) {
          EXPECT_STREQ(error.what(),
                       "payload: there is no link 'nobody'; the robot has base, arm, hand, tip");
          throw;
        }
      },
      InputError);
}

TEST(RobotErrors, OfNumbersThatAreNotFinite) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const std::string& sentence) {
    return sentence.find("finite") != std::string::npos;
  };
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].inertia.mass = infinity; })));
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].inertia.com[1] = nan; })));
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].joint.X_PJ.p[2] = nan; })));
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].joint.zero = nan; })));
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].joint.axis[0] = infinity; })));
  EXPECT_TRUE(refused(message_after([&](auto& r) { r.links[0].spring = Spring{.rest = nan}; })));
  EXPECT_TRUE(
      refused(message_after([&](auto& r) { r.links[0].drive = Drive{.gear_ratio = nan}; })));
  EXPECT_NE(message_after([](auto& r) { r.links[0].joint.X_PJ.R *= 2; }).find("not a rotation"),
            std::string::npos);
  EXPECT_NE(
      message_after([](auto& r) { r.links[0].inertia.about_com(0, 1) = 1; }).find("symmetric"),
      std::string::npos);
}

TEST(RobotErrors, OfFrameNames) {
  for (const char* name : {"", "world", "a.b"})
    EXPECT_NE(message_after([&](auto& r) {
                r.frames.push_back({name, "hand", {}, ""});
              }).find("cannot be the name of a frame"),
              std::string::npos)
        << name;
}

TEST(RobotErrors, OfCouplingsThatAreNotPhysical) {
  EXPECT_NE(message_of_coupling([](Coupling& c) {
              c.stiffness(0, 1) = c.stiffness(1, 0) = 1e9;
            }).find("negative eigenvalues"),
            std::string::npos);
  EXPECT_NE(message_of_coupling([](Coupling& c) { c.links[1] = c.links[0]; }).find("twice"),
            std::string::npos);
}

}  // namespace
}  // namespace tauflex
