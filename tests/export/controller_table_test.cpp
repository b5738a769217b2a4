// References and torques on the two sides of gears.
#include "tauflex/export/controller_table.hpp"

#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/results/trajectory_tables.hpp"

namespace tauflex {
namespace {

// Law: motors that turn several joints do the same work on either side of their transmission, and
// springs at rest put the motors where the joints are.
TEST(ControllerTable, coupled_axes_do_the_same_work_on_both_sides) {
  const Robot robot(example_job("wrist_coupling").robot);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  Table rows{motion_columns(robot), {}};
  rows.values = Matrix::NullaryExpr(5, std::ssize(rows.columns), [&] { return number(random); });
  const ExportedMotion motion{"wrist", robot, rows};
  ExportOptions options;
  const ControllerTable at_motor = controller_table(motion, rows, options);
  options.side = ExportOptions::Side::joint;
  const ControllerTable at_joint = controller_table(motion, rows, options);
  const Vector work = at_motor.torque.cwiseProduct(at_motor.velocity).rowwise().sum();
  const Vector same = at_joint.torque.cwiseProduct(at_joint.velocity).rowwise().sum();
  EXPECT_LT((work - same).norm(), 1e-13 * work.norm());        // rounding
  EXPECT_GT((at_motor.torque - at_joint.torque).norm(), 0.1);  // and they differ
  const Matrix q = motion.rows(rows, "q.", robot.coordinates().names);
  for (int k = 0; k < robot.rotors(); ++k) {
    double end = 0;  // of its spring
    for (const Gear& gear : robot.actuation().gears)
      if (gear.spring == k)
        end += gear.ratio * q(robot.actuation().elastic_drive(gear.rotor).rotor_q, 2);
    EXPECT_NEAR(at_joint.position(2, robot.actuation().elastic[k]), end, 1e-14);  // rounding
  }
}

}  // namespace
}  // namespace tauflex
