// Accelerations of the robot under motor torques: articulated bodies, so that the proof of an
// inverse solution shares no solver with it.
//   vdot = M(q)^-1 (B u - h(q, v) - k(q, v))                                         theory (M.9)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Accelerations of the tree under joint torques tau [Featherstone2008, Table 7.1], armatures of
// rigid drives included. Calls kinematics(). Writes vdot (tree_nv).
template <class S>
void tree_accelerations(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                        const VectorRefOf<S>& v, const VectorRefOf<S>& tau, VectorOutOf<S> vdot);

// Accelerations of the whole robot (nv) under motor torques u (one per drive).
template <class S>
void forward_dynamics(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q,
                      const VectorRefOf<S>& v, const VectorRefOf<S>& u, VectorOutOf<S> vdot);

}  // namespace tauflex
