// Springs and drives on top of the tree: the rows of (D.1), from the links to the motors.
//   tau   = M vdot + h + K_e (q - rest) + D_e v + springs between frames
//           what drives and constraints must give at the joints
//   tau_s = K d + D d',  d = T (q_m/n) - q         what the drive springs give there
//   u     = J_m vdot_m + f v_m + (T^T tau_s) / n   elastic drive
//   u     = tau / n                                rigid drive; its n^2 J and n^2 f are in tau
// T is 1 where no transmission couples the axes.                                     theory (M.8)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Computes data.tau. Calls kinematics(). All arguments may be of the whole robot: the tree comes
// first.
template <class S>
void joint_torques(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot);

// Its last part, after inverse_dynamics() or body_forces() and, where springs act between frames,
// kinematics(): adds to data.tau.
template <class S>
void add_armatures_and_springs(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                               const VectorRefOf<S>& v, const VectorRefOf<S>& vdot);

// Computes data.tau, data.dtau_dq, data.dtau_dv and data.M, its derivative with respect to vdot.
void joint_torque_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                              const VectorRef& v, const VectorRef& vdot);

// Computes data.spring_torque, tau_s of every elastic drive; q and v of the whole robot.
template <class S>
void drive_spring_torques(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                          const VectorRefOf<S>& v);

// Torques of the motors, one per drive, after joint_torques() and drive_spring_torques().
template <class S>
void motor_torques(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& v,
                   const VectorRefOf<S>& vdot, VectorOutOf<S> u);

}  // namespace tauflex
