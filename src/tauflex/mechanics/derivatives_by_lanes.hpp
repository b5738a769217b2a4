// Derivatives of inverse dynamics where no joint has several axes, several links at once. Every
// number of lanes gives the same bits.
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// As inverse_dynamics_derivatives(), for robots with link frames. Calls kinematics().
void derivatives_by_lanes(const Robot& robot, MechanicsData& data, const VectorRef& q,
                          const VectorRef& v, const VectorRef& vdot, int lanes);

}  // namespace tauflex
