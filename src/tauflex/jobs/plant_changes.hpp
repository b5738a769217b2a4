// The plant of the proof, described by its differences from the robot:
//   links.hand.mass: 210             a value
//   links: {hand: {mass: 210}}       the same
//   stiffness: x0.8                  every stiffness of the robot times 0.8
//   drives.*.damping: x0.5           of all drives; links.*.mass: +0.1 adds
//   links.hand.drive.stiffness: ~    left out: this drive is rigid
// `payload`, `model: frame` and the options of the frame are given beside these keys and are read
// elsewhere.
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

// Paths that a key points to, as Node::set takes them; none where nothing matches. `*` is any key
// or item on the way. One that names a single place is not looked for; behind a `*` the last key
// may be new unless it must exist.
std::vector<std::string> places_in(const Node& node, const std::string& key, bool must_exist);
// The same in a robot, where drives.* are the drives of the links, and a word that is no key of the
// robot is every one of that name.
std::vector<std::string> places_in_robot(const Node& robot, const std::string& key,
                                         bool must_exist);

// Throws InputError when a change finds nothing to change.
ChangedRobot changed_robot(const Node& robot, const Node& changes);

// x0.8 or +2 applied to a number; any other number replaces it.
double changed_number(double number, const Node& change);

}  // namespace tauflex
