// Energy of the whole robot and the power that enters and leaves it.
//   d(kinetic + potential)/dt = motor power + lambda . s' - dissipated power        theory (M.10)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

struct Energy {
  // J: links and rotors
  double kinetic;
  // J: gravity and springs
  double potential;
};

// A linearised robot has the kinetic energy of its constant mass matrix. Calls mass_matrix().
Energy energy(const Robot& robot, MechanicsData& data, const VectorRef& q, const VectorRef& v);

// Power taken out by dampers and friction, W. After kinematics().
double dissipated_power(const Robot& robot, const MechanicsData& data, const VectorRef& v);

// Its derivative with respect to v (nv), added to `gradient`. After kinematics().
void add_dissipated_power_gradient(const Robot& robot, const MechanicsData& data,
                                   const VectorRef& v, VectorOut gradient);

// Power put in by the motors, W.
double motor_power(const Robot& robot, const VectorRef& v, const VectorRef& u);

}  // namespace tauflex
