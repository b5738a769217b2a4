// Joints of a URDF file that move no mass: grippers, wheels and frames without inertial. Nothing
// determines how they move, and no force changes when they do.
#pragma once

#include "tauflex/model/robot_description.hpp"

namespace tauflex {

// Fixes, with a note, every joint that moves neither mass nor inertia and has no drive and no
// spring. One that is related to a joint that stays stays too.
void hold_massless_joints(RobotDescription& robot);

}  // namespace tauflex
