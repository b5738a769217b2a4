// Where everything is: poses of bodies, joint axes, positions and Jacobians of frames.
//   R_B = R_P R_PB R_z(q)      p_B = p_P + R_P p_PB      S = (z, p x z) or (0, z)      theory (M.1)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// q holds the tree coordinates first; what follows them is not read.
template <class S>
void kinematics(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q);

// After kinematics(): origin of a frame in world coordinates, m.
template <class S>
Vector3Of<S> frame_position(const MechanicsData<S>& data, const Frame& frame);

// After kinematics(): velocity of the frame's origin = J v; 3 x tree_nv.
template <class S>
void frame_jacobian(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                    MatrixOutOf<S> J);

// After kinematics(): one row of that Jacobian added to `row`, which may be longer than the tree.
template <class S>
void add_frame_jacobian_row(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                            int component, MatrixOutOf<S> J, int row);

// After kinematics(): d(J x)/dq for a fixed vector x; 3 x tree_nv. With x = v and times v it is
// Jdot v.
//   d2p / dq_a dq_b = w_a x J_b, a the one closer to the world      theory (M.2)
template <class S>
void frame_jacobian_derivative(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                               const VectorRefOf<S>& x, MatrixOutOf<S> dJx_dq);

// qdot = N(q) v; the identity while every joint has one direction.
template <class S>
void position_rate(const Robot& robot, const VectorRefOf<S>& q, const VectorRefOf<S>& v,
                   VectorOutOf<S> qdot);

}  // namespace tauflex
