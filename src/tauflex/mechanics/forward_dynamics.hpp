// Accelerations of the robot under motor torques: articulated bodies, so that the proof of an
// inverse solution shares no solver with it.
//   vdot = M(q)^-1 (B u - h(q, v) - k(q, v))                                         theory (M.9)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Accelerations of the tree under joint torques tau [Featherstone2008, Table 7.1], armatures of
// rigid drives included. Calls kinematics(). Writes vdot (tree_nv).
void tree_accelerations(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& tau, VectorOut vdot);

// Accelerations of the whole robot (nv) under motor torques u (one per drive).
void forward_dynamics(const Robot& robot, MechanicsData& data, const VectorRef& q,
                      const VectorRef& v, const VectorRef& u, VectorOut vdot);

// The same, with the stretch of the drive springs taken from q_drive and v_drive. They may differ
// from q and v by motions that stretch no spring, and hold the stretch to all its digits where they
// are small: in q they are lost as soon as the spring is stiff.
void forward_dynamics(const Robot& robot, MechanicsData& data, const VectorRef& q,
                      const VectorRef& v, const VectorRef& q_drive, const VectorRef& v_drive,
                      const VectorRef& u, VectorOut vdot);

}  // namespace tauflex
