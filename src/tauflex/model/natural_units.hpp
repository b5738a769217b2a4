// Units in which lengths and angles of one robot can stand side by side: its own size for lengths,
// radians for angles. Ratios of singular values are the same for an arm of 1 mm and one of 1 m.
//                                                                                     theory (A.7)
#pragma once

#include "tauflex/model/robot.hpp"

namespace tauflex {

// m: the longest way from the world to a frame or centre of mass along the links, with all joints
// at zero; 1 for a robot without any extent, whose lengths and angles never meet.
double robot_size(const Robot& robot);

// nv: robot_size() for velocities along lengths, 1 for those of angles.
Vector velocity_units(const Robot& robot);

// nv: the weight that a joint carries (N), times robot_size() for angles (N m).
Vector weight_units(const Robot& robot);

// One per row of g: robot_size() for rows that are lengths, 1 for angles.
Vector constraint_units(const Robot& robot);

}  // namespace tauflex
