// Laws of springs of drives: the stretch that is found carries the load, and what is not found is
// said.
#include "tauflex/mechanics/drive_train.hpp"

#include <gtest/gtest.h>

namespace tauflex {
namespace {

DriveTrain one_spring(double stiffness, const OddPolynomial& hardening) {
  RobotDescription robot;
  Link arm;
  arm.name = "arm";
  arm.inertia.mass = 1;
  arm.inertia.given.fill(true);
  arm.drive = Drive{.rotor_inertia = 1, .elastic = Drive::Elasticity{.stiffness = stiffness}};
  arm.drive->elastic->hardening = hardening;
  robot.links.push_back(arm);
  return DriveTrain(Robot(robot));
}

TEST(DriveTrain, stretch_at_rest_carries_the_load) {
  const DriveTrain train = one_spring(1000, {2e6, 3e9});
  for (const double load : {-70.0, 0.0, 1e-3, 400.0}) {
    const auto d = stretch_at_rest(train, Vector::Constant(1, load));
    ASSERT_TRUE(d);
    const double x = (*d)[0];
    EXPECT_NEAR(1000 * x + 2e6 * std::pow(x, 3) + 3e9 * std::pow(x, 5), load,
                1e-12 * std::abs(load));  // rounding
  }
}

// A term of order 13 lets Newton's steps from the linear spring take a thirteenth of the way each.
TEST(DriveTrain, stretch_at_rest_is_none_where_it_is_not_found) {
  EXPECT_FALSE(stretch_at_rest(one_spring(1e-6, {0, 0, 0, 0, 0, 1e3}), Vector::Constant(1, 300)));
  EXPECT_FALSE(stretch_at_rest(one_spring(1, {1}), Vector::Constant(1, 1e110)));
}

}  // namespace
}  // namespace tauflex
