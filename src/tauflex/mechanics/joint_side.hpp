// What drives give to their joints, behind gear, screw and spring.
//   elastic drive: tau_s; rigid drive: n (u - friction) - n^2 J vdot                 theory (M.8)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Whether a gear or a screw stands between some motor and its joint.
bool has_gear(const Robot& robot);

// One entry per drive, N m or N. Computes data.spring_torque; all arguments of the whole robot.
void joint_side_torques(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, const VectorRef& u,
                        VectorOut tau);

}  // namespace tauflex
