// Where everything is: poses of bodies, joint axes, positions and Jacobians of frames.
//   R_B = R_P R_PB R_z(q)      p_B = p_P + R_P p_PB      S = (z, p x z) or (0, z)      theory (M.1)
#pragma once

#include <string>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// q holds the tree coordinates first; what follows them is not read.
template <class S>
void kinematics(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q);

// After kinematics(): origin of a frame in world coordinates, m.
template <class S>
Vector3Of<S> frame_position(const MotionData<S>& data, const Frame& frame);

// After kinematics(): axes of a frame in world coordinates, R_WF.
template <class S>
Matrix3Of<S> frame_rotation(const MotionData<S>& data, const Frame& frame);

// After kinematics(): velocity of the frame's origin = J v; 3 x tree_nv.
template <class S>
void frame_jacobian(const Robot& robot, const MotionData<S>& data, const Frame& frame,
                    MatrixOutOf<S> J);

// After kinematics(): d(J x)/dq for a fixed vector x; 3 x tree_nv. With x = v and times v it is
// Jdot v.
//   d2p / dq_a dq_b = w_a x J_b, a the one closer to the world      theory (M.2)
void frame_jacobian_derivative(const Robot& robot, const MechanicsData& data, const Frame& frame,
                               const VectorRef& x, MatrixOut dJx_dq);

// qdot = N(q) v, and back: v = N+(q) qdot. All derivatives "by q" in mechanics are by a small step
// in the directions of v, nv columns; these functions change over to coordinates.   theory (M.11)
template <class S>
void position_rate(const Robot& robot, const VectorRefOf<S>& q, const VectorRefOf<S>& v,
                   VectorOutOf<S> qdot);
template <class S>
void velocity_of_rate(const Robot& robot, const VectorRefOf<S>& q, const VectorRefOf<S>& qdot,
                      VectorOutOf<S> v);

// d(N+(q) qdot)/dq for a fixed qdot, added to dv_dq (nv x nq).
void add_velocity_of_rate_derivative(const Robot& robot, const VectorRef& q, const VectorRef& qdot,
                                     MatrixOut dv_dq);

// by_q = by_tangent N+(q)
void by_coordinates(const Robot& robot, const VectorRef& q, const MatrixRef& by_tangent,
                    MatrixOut by_q);

// rows := rows dv/dq for v = N+(q) (s q + past), as difference formulas have it: rows are by v, the
// result by a step in the directions of v. rate: s q + past; q of length 1.
void by_step_of_differences(const Robot& robot, const VectorRef& rate, const VectorRef& past,
                            const VectorRef& v, double s, MatrixOut rows);

// Coordinates outnumber velocities where they depend on each other: the equations between them,
// zero for every pose, as many as nq - nv, with their derivatives by q and their names.
template <class S>
void coordinate_equations(const Robot& robot, const VectorRefOf<S>& q, VectorOutOf<S> r);
void coordinate_equation_derivatives(const Robot& robot, const VectorRef& q, MatrixOut by_q);
std::vector<std::string> coordinate_equation_names(const Robot& robot);

// After qdot = N(q) v: its derivatives by q (nq x nq) and v (nq x nv), added.
void add_position_rate_derivatives(const Robot& robot, const VectorRef& q, const VectorRef& v,
                                   MatrixOut by_q, MatrixOut by_v);

// Quaternions to length 1.
void normalize(const Robot& robot, VectorOut q);

// A step in the directions of v; quaternions stay of length 1. The step may be of the tree alone.
void move(const Robot& robot, const VectorRef& step, VectorOut q);

}  // namespace tauflex
