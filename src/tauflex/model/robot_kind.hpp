// What others may ask of a robot without knowing which joints, springs and drives it has.
#pragma once

#include <vector>

#include "tauflex/model/robot.hpp"

namespace tauflex {

// A spring lies between some motor and its joint: there are rotors beside the joints.
bool has_elastic_drives(const Robot& robot);
// Some joint turns about all axes: velocities are not the rates of coordinates.
bool has_orientations(const Robot& robot);
// Some link bends.
bool has_beams(const Robot& robot);
// Some link has a mass or an inertia.
bool has_mass(const Robot& robot);
// Per velocity of the tree: a spring of a joint, a bearing or a beam holds it.
std::vector<bool> held_by_springs(const Robot& robot);

}  // namespace tauflex
