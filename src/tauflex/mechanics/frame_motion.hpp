// How velocities move frames. This is the only way to ask for it to the right of mechanics: what
// moves a frame need not be a chain of joint axes.
//   velocity of a frame = sum of X_k v_k, a spatial motion in world axes at the world origin
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

extern const Frame world_frame;

// Only for mechanics: the last tree velocity that moves a body, -1 for none; with dof_parent() the
// chain to the world.
int last_dof(const Robot& robot, int body);

// Whether two velocities belong to one spherical joint, whose axes do not carry each other, or to
// one segment of a beam.
inline bool same_joint(const Robot& robot, int a, int b) {
  return robot.tree().dof_body[a] == robot.tree().dof_body[b];
}
// Whether it is a segment of a beam, whose axes change with all of its coordinates.
inline bool same_beam(const Robot& robot, int a, int b) {
  const Tree& tree = robot.tree();
  return tree.dof_body[a] == tree.dof_body[b] && tree.bodies[tree.dof_body[a]].beam >= 0;
}

// Whether velocity k moves a body.
inline bool moves(const Robot& robot, int k, int body) {
  int j = last_dof(robot, body);
  while (j > k) j = robot.tree().dof_parent[j];
  return j >= 0 && j == k;
}

// After kinematics(): f(k, X_k) for every velocity k that moves a body or a frame, from there
// towards the world.
template <class S, class F>
void for_each_motion(const Robot& robot, const MotionData<S>& data, int body, const F& f) {
  for (int k = last_dof(robot, body); k >= 0; k = robot.tree().dof_parent[k]) f(k, data.axis[k]);
}
template <class S, class F>
void for_each_motion(const Robot& robot, const MotionData<S>& data, const Frame& frame,
                     const F& f) {
  for_each_motion(robot, data, frame.body, f);
}

// After kinematics(): X_k of a frame, zero where velocity k does not move it.
template <class S>
Motion<S> motion_of(const Robot& robot, const MotionData<S>& data, const Frame& frame, int k) {
  return moves(robot, k, frame.body) ? data.axis[k] : Motion<S>::zero();
}

// After kinematics(): velocity of a body or a frame when the tree moves with v.
template <class S, class BodyOrFrame>
Motion<S> velocity_of(const Robot& robot, const MotionData<S>& data, const BodyOrFrame& of,
                      const VectorRefOf<S>& v) {
  Motion<S> V = Motion<S>::zero();
  for_each_motion(robot, data, of, [&](int k, const Motion<S>& X) { V += X * v[k]; });
  return V;
}

// After constraint_bias(): velocity of a frame, and its acceleration for vdot = 0.
inline Motion<double> frame_velocity(const MechanicsData& data, const Frame& frame) {
  return frame.body < 0 ? Motion<double>::zero() : data.velocity[frame.body];
}
inline Motion<double> frame_acceleration(const MechanicsData& data, const Frame& frame) {
  return frame.body < 0 ? Motion<double>::zero() : data.acceleration[frame.body];
}

}  // namespace tauflex
