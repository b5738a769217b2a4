// What a user should know although the job was solved: one sentence each.
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

// Torques that begin too late, or carry noise from too small a step.
std::vector<std::string> warnings_about(const Robot& robot, const Solution& solution);

// Size of the noise on one torque: differences of order 6 cancel whatever is smooth and amplify
// white noise by sqrt(924). The median over time, so that the corners of a path do not count.
double torque_noise(const VectorRef& u);

}  // namespace tauflex
