// What a user should know although the job was solved: one sentence each.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"
#include "tauflex/solvers/solution.hpp"

namespace tauflex {

// Peaks of one drive over the whole solution, motor side, and the largest share of its limits.
struct DriveMargins {
  double torque = 0;       // N m
  double torque_rate = 0;  // N m/s, between samples
  double speed = 0;        // rad/s
  double worst = 0;        // of a limit; above 1 it is exceeded
};
DriveMargins drive_margins(const Robot& robot, const Solution& solution, int drive);

// Joints and drives that leave the range and limits they were given; torques that carry noise from
// too small a step.
std::vector<std::string> warnings_about(const Robot& robot, const Solution& solution);

// Size of the noise on one torque: differences of order 6 cancel whatever is smooth and amplify
// white noise by sqrt(924). The median over time, so that the corners of a path do not count.
double torque_noise(const VectorRef& u);

}  // namespace tauflex
