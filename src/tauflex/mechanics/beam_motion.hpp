// How a segment of a beam moves: its end as a joint with several velocities, whose axes depend on
// its coordinates, and the points that carry its mass.                              theory (B.6)
//   end: r = (L, 0, 0) + r(z), R = exp(phi(z)), seen from the segment's start
//   S_l = (w_l, r_l + r x w_l), w_l = T(phi) phi_l, with derivatives by q_l as index l
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// T(phi) x, the angular velocity for a rate x of the rotation vector phi.
template <class S>
Vector3Of<S> turn_rate(const Vector3Of<S>& phi, const Vector3Of<S>& x);

// The derivative of T(phi) x for a change d of phi.
Vector3 turn_rate_change(const Vector3& phi, const Vector3& d, const Vector3& x);

// Coordinates before this one do not move the end.
int first_that_moves_end(const BeamLayout& beam);

// From the pose (R, p) of the start, in the world, to that of the end; writes the axes too.
template <class S>
void place_beam(const BeamLayout& beam, const VectorRefOf<S>& q, BeamMotion<S>& at, Matrix3Of<S>& R,
                Vector3Of<S>& p, Motion<S>* axes);

// After place_beam(): rates and accelerations of z; vdot may be empty, which is 0.
template <class S>
void beam_rates(const BeamLayout& beam, const VectorRefOf<S>& v, const VectorRefOf<S>& vdot,
                BeamMotion<S>& at);

// After beam_rates(): from the motion V, A of the start to that of the end.
template <class S>
void move_beam_end(const BeamLayout& beam, const BeamMotion<S>& at, Motion<S>& V, Motion<S>& A);

// After beam_rates(): the forces that move the beam's own mass, at.load and at.force, and from them
// those on its coordinates; v and vdot of the segment, V and A of its start.
template <class S>
void beam_forces(const BeamLayout& beam, const Motion<S>& V, const Motion<S>& A,
                 const VectorRefOf<S>& v, const VectorRefOf<S>& vdot, BeamMotion<S>& at);

// After beam_forces(): the force on coordinate k, of n.
template <class S>
void add_beam_torques(const BeamLayout& beam, const BeamMotion<S>& at, S* tau);

// After place_beam(): a point of the centre line, in the world.
Vector3 beam_point(const BeamLayout::Point& point, const BeamMotion<double>& at);

// A motion seen from the start, in the world.
template <class S>
Motion<S> in_world(const BeamMotion<S>& at, const Vector3Of<S>& w, const Vector3Of<S>& v) {
  const Vector3Of<S> turned = at.R * w;
  return {turned, at.R * v + at.p.cross(turned)};
}

}  // namespace tauflex
