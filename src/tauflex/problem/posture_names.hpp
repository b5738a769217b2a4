// What an engineer calls the postures of an arm: "shoulder front, elbow up, wrist flipped".
#pragma once

#include <string>
#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// One name per posture, from the axes of the joints (velocities, from the base to the tool):
//   elbow     the second of two neighbouring parallel axes; up when it lies above the line from the
//             first to the wrist, left or right of it when the axes are vertical
//   shoulder  front when the wrist is on the side of the first axis where it is at zero
//   wrist     flipped when (z4 x z6) . z5 of the last three axes of six or more is negative
// All empty where these do not tell the postures apart.
std::vector<std::string> posture_names(const Robot& robot, const Frame& tool,
                                       const std::vector<int>& joints,
                                       const std::vector<Vector>& postures);

}  // namespace tauflex
