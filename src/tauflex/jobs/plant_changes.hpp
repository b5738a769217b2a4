// The plant of the proof, said by what it has otherwise than the robot:
//   links.hand.mass: 210             a value
//   links: {hand: {mass: 210}}       the same
//   stiffness: x0.8                  every stiffness of the robot times 0.8
//   drives.*.damping: x0.5           of all drives; links.*.mass: +0.1 adds
//   links.hand.drive.stiffness: ~    left out: this drive is rigid
// What is carried is the task's: `payload` stands beside these keys and is not read here, and so do
// `model: frame` and its options.
#pragma once

#include <string>
#include <vector>

#include "tauflex/base/node.hpp"

namespace tauflex {

struct ChangedRobot {
  Node robot;
  // "links.hand.mass 200 -> 210", "stiffness x0.8"
  std::vector<std::string> differences;
};

// Whether a key of a plant says how it is computed and not what it has: `model`, and with `model:
// frame` the options of the frame.
bool is_of_plant_model(const std::string& key, const Node& changes);

// Throws InputError when a change finds nothing to change.
ChangedRobot changed_robot(const Node& robot, const Node& changes);

// x0.8 or +2 applied to a number; any other number replaces it.
double changed_number(double number, const Node& change);

}  // namespace tauflex
