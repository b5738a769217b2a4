// Natural modes against closed forms and an independent computation: lumped springs and beams.
#include "tauflex/analysis/natural_modes.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tauflex/base/node.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

Robot robot_of(const std::string& text) {
  return Robot(read_robot(Node::read_text(text, "robot")));
}

// Two inertias and a spring: locked sqrt(k/J), free sqrt(k (1/J + 1/J_m)), one free motion.
TEST(NaturalModes, OfAFlexibleJoint) {
  const Robot robot = robot_of(
      "{gravity: [0, 0, 0], links: [{name: arm, joint: {parent: world, type: revolute, axis: z}, "
      "drive: {rotor_inertia: 0.3, stiffness: 200, damping: 2}, mass: 0, inertia: {zz: 1.5}}]}");
  const Vector q = Vector::Zero(2);
  const NaturalModes locked = natural_modes(robot, q, {}, true);
  ASSERT_EQ(locked.modes.size(), 1u);
  EXPECT_EQ(locked.free_motions, 0);
  const double w = std::sqrt(200 / 1.5);
  EXPECT_NEAR(locked.modes[0].frequency, w / (2 * std::numbers::pi), 1e-12);  // rounding
  EXPECT_NEAR(locked.modes[0].damping, 2 / (2 * 1.5 * w), 1e-12);
  EXPECT_EQ(locked.modes[0].words, "gear of arm, 100 %");
  const NaturalModes free = natural_modes(robot, q, {}, false);
  ASSERT_EQ(free.modes.size(), 1u);
  EXPECT_EQ(free.free_motions, 1);
  EXPECT_NEAR(free.modes[0].frequency,
              std::sqrt(200 * (1 / 1.5 + 1 / 0.3)) / (2 * std::numbers::pi), 1e-12);
}

// A pendulum that stands on a spring too weak for it: J s^2 + d s + k - m g l = 0, closed form.
TEST(NaturalModes, APoseThatSpringsDoNotHold) {
  const Robot robot = robot_of(
      "{gravity: [0, 0, -9.81], links: [{name: rod, joint: {parent: world, type: revolute, axis: "
      "y}, spring: {stiffness: 5, damping: 0.3}, mass: 2, com: [0, 0, 0.5], inertia: {yy: 0.1}}]}");
  const NaturalModes found = natural_modes(robot, Vector::Zero(1), {}, true);
  EXPECT_TRUE(found.modes.empty());
  EXPECT_EQ(found.free_motions, 0);
  ASSERT_EQ(found.falling.size(), 1u);
  const double J = 0.6, d = 0.3, K = 5 - 2 * 9.81 * 0.5;
  EXPECT_NEAR(found.falling[0], (-d + std::sqrt(d * d - 4 * J * K)) / (2 * J), 1e-12);  // rounding
}

// Link 2 of Tsujita et al. with our data, pinned at joint 2 and the tip on the chord; two
// elements. Five digits of an independent computation.
TEST(NaturalModes, OfABeamWithACompliantJointAndARigidPart) {
  const Robot robot = robot_of(
      "{gravity: [0, 0, 0], links: ["
      "{name: elastic, joint: {parent: world, type: revolute, axis: y}, "
      " beam: {to: [0.3, 0, 0], mass_per_length: 0.6, EI: {z: 0.55}, elements: 2}}, "
      "{name: rigid, joint: {parent: elastic, at: [0.3, 0, 0], type: revolute, axis: y}, "
      " spring: {stiffness: 0.110581175}, mass: 0.06, com: [0.05, 0, 0], "
      " inertia: {xx: 0, yy: 5e-5, zz: 5e-5}}], "
      "frames: {tip: {link: rigid, at: [0.1, 0, 0]}}, "
      "constraints: [{name: chord, plane: {frame: tip, point: [0, 0, 0], normal: z}}]}");
  const NaturalModes found = natural_modes(robot, Vector::Zero(robot.nq()), Vector::Zero(1), false);
  const double expected[5] = {2.429, 23.05, 84.06, 202.88, 358.48};  // Hz
  ASSERT_GE(found.modes.size(), 5u);
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(found.modes[k].frequency / expected[k], 1, 3e-4) << k;  // digits that are printed
  EXPECT_EQ(found.modes[0].words.substr(0, 15), "spring of rigid");
  EXPECT_EQ(found.modes[1].words.substr(0, 24), "first bending of elastic");
}

// At a pose that is not one of rest what no drive holds goes where it rests.
TEST(NaturalModes, ABeamSettlesUnderItsWeight) {
  const Robot robot = robot_of(
      "{gravity: [0, -1, 0], links: [{name: arm, joint: {parent: world, type: fixed}, "
      "beam: {to: [1, 0, 0], mass_per_length: 0.01, EI: 1, elements: 2}}]}");
  const Vector q = settled(robot, Vector::Zero(robot.nq()));
  EXPECT_NEAR(q[2], -0.01 / 8, 1e-8);  // rho A g L^4 / (8 EI); shortening is (w/L)^2 of it
  EXPECT_TRUE(natural_modes(robot, q, {}, true).at_rest);
}

}  // namespace
}  // namespace tauflex
