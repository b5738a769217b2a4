// Joint torques of a moving tree of rigid bodies, without springs and drives (recursive
// Newton-Euler), and their derivatives.
//   tau = M(q) vdot + h(q, v)                                                        theory (M.3)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Computes data.tau; of doubles in link frames, where no joint has several axes.
template <class S>
void inverse_dynamics(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                      const VectorRefOf<S>& v, const VectorRefOf<S>& vdot);

// Computes data.velocity, data.acceleration, data.force and data.tau, in world axes. Calls
// kinematics().
template <class S>
void body_forces(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                 const VectorRefOf<S>& v, const VectorRefOf<S>& vdot);

// Computes data.tau, data.dtau_dq, data.dtau_dv and data.M, the derivative with respect to vdot.
// Calls kinematics(). Closed form of [Singh2022]; each pair of joints on one branch costs 36
// products.
void inverse_dynamics_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                                  const VectorRef& v, const VectorRef& vdot);

}  // namespace tauflex
