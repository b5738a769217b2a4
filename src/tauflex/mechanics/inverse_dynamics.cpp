#include "tauflex/mechanics/inverse_dynamics.hpp"

#include "tauflex/mechanics/beam_derivatives.hpp"
#include "tauflex/mechanics/derivatives_by_lanes.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/lane_widths.hpp"
#include "tauflex/mechanics/link_frame_torques.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

// From the motion of a segment's start to that of its end, and the forces of its own mass.
template <class S>
void move_beam(const BeamLayout& beam, const VectorRefOf<S>& v, const VectorRefOf<S>& vdot,
               BeamMotion<S>& at, Motion<S>& V, Motion<S>& A) {
  beam_rates<S>(beam, v, vdot, at);
  beam_forces<S>(beam, V, A, v, vdot, at);
  move_beam_end<S>(beam, at, V, A);
}

template <class S>
void move_bodies(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& v,
                 const VectorRefOf<S>& vdot) {
  const auto& bodies = robot.tree().bodies;
  const Motion<S> still = Motion<S>::zero();
  const Motion<S> lift = {Vector3Of<S>::Zero(), Vector3(-robot.gravity())};
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const Motion<S>& V_parent = body.parent < 0 ? still : data.velocity[body.parent];
    Motion<S> V = V_parent;
    Motion<S> A = body.parent < 0 ? lift : data.acceleration[body.parent];
    if (body.beam >= 0) {
      move_beam<S>(robot.tree().beams[body.beam], v.segment(body.v_begin, body.v_count),
                   vdot.segment(body.v_begin, body.v_count), data.beam[body.beam], V, A);
    } else {
      for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k) {
        const Motion<S> joint = data.axis[k] * v[k];
        A += data.axis[k] * vdot[k] + cross(V_parent, joint);
        V += joint;
      }
    }
    data.velocity[i] = V;
    data.acceleration[i] = A;

    // force that moves the body: m a of its centre of mass, I alpha + w x I w about it
    const Matrix3Of<S>& R = data.R[i];
    const Vector3Of<S> c = data.p[i] + R * body.com;
    const Vector3Of<S> v_c = V.v + V.w.cross(c);
    const Vector3Of<S> f = (A.v + A.w.cross(c) + V.w.cross(v_c)) * body.mass;
    const Vector3Of<S> w = R.transpose() * V.w, alpha = R.transpose() * A.w;
    const Vector3Of<S> Iw = body.inertia * w;
    const Vector3Of<S> n = body.inertia * alpha + w.cross(Iw);
    data.force[i] = {R * n + c.cross(f), f};
  }
}

}  // namespace

template <class S>
void inverse_dynamics(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                      const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  if constexpr (std::is_same_v<S, double>) {
    if (has_link_frames(robot)) {
      link_frame_torques(robot, data.link_frames, q, v, vdot, data.tau);
      return;
    }
  }
  body_forces(robot, data, q, v, vdot);
}

template <class S>
void body_forces(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                 const VectorRefOf<S>& v, const VectorRefOf<S>& vdot) {
  kinematics(robot, data, q);
  move_bodies(robot, data, v, vdot);
  const auto& bodies = robot.tree().bodies;
  for (size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k)
      data.tau[k] = dot(data.axis[k], data.force[i]);
    if (body.beam >= 0) {
      add_beam_torques<S>(robot.tree().beams[body.beam], data.beam[body.beam],
                          &data.tau[body.v_begin]);
      data.force[body.parent] += data.beam[body.beam].force;
    }
    if (body.parent >= 0) data.force[body.parent] += data.force[i];
  }
}

// With everything in world axes a body that is carried by joint j changes with q_j as
//   dV = S_j' + ..., and the sums over all carried bodies collapse into composites:  theory (M.6)
//   I: inertia,  2B V = (b w, -2 l x w): half the velocity product,  l: linear momentum,  F: force
//   b = [w] J - J [w] + m (2 (c.v) 1 - c v^T - v c^T) - [angular momentum]
// For joint i and every joint j between it and the world:
//   dtau_j/dq_i = S_j . (2B S_i' + I S_i'' + S_i x* F)
//   dtau_i/dq_j = S_i . (2B S_j' + I S_j'')
//   dtau_j/dv_i = S_j . (2B S_i + 2 I S_i')
//   dtau_i/dv_j = S_i . (2B S_j + 2 I S_j')
// The three axes of a spherical joint do not carry each other: there S' by q is V x S with the
// velocity V of the body, and S' by v the mean of that and of the parent's.
void inverse_dynamics_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                                  const VectorRef& v, const VectorRef& vdot) {
  if (has_link_frames(robot)) {
    derivatives_by_lanes(robot, data, q, v, vdot, lane_width_for(robot.tree_nv()));
    return;
  }
  body_forces<double>(robot, data, q, v, vdot);
  const auto& bodies = robot.tree().bodies;
  const Motion<double> still = Motion<double>::zero();

  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const Motion<double>& V_parent = body.parent < 0 ? still : data.velocity[body.parent];
    const Motion<double>& V = data.velocity[i];
    const Motion<double>& A = data.acceleration[i];
    for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k) {
      // of the body, not of its parent: the same for one axis, and right for three
      const Motion<double> rate = cross(V, data.axis[k]);
      data.axis_rate[k] = rate;
      data.axis_rate_v[k] = body.v_count == 1 ? rate : (rate + cross(V_parent, data.axis[k])) * 0.5;
      data.axis_acceleration[k] = cross(A, data.axis[k]) + cross(V, rate);
    }
    if (body.beam >= 0) beam_axis_rates(robot, data, static_cast<int>(i));
    const BodyInertia<double>& I = data.inertia[i] = world_inertia(body, data.R[i], data.p[i]);
    const Force<double>& l = data.momentum[i] = I * V;
    const Matrix3 wJ = skew<double>(V.w) * I.J;
    const Matrix3 cv = I.mc * V.v.transpose();
    const double twice = 2 * I.mc.dot(V.v);
    Matrix3& b = data.twist_rate[i];
    b = wJ + wJ.transpose() - cv - cv.transpose() - skew<double>(l.n);
    for (int k = 0; k < 3; ++k) b(k, k) += twice;
  }

  data.dtau_dq.setZero();  // the loop below does not reach pairs on different branches
  data.dtau_dv.setZero();
  const auto& parent = robot.tree().dof_parent;
  for (size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    if (body.beam >= 0) {
      beam_derivatives(robot, data, static_cast<int>(i));
      continue;
    }
    const BodyInertia<double>& I = data.inertia[i];
    const Matrix3& b = data.twist_rate[i];
    const Vector3& l = data.momentum[i].f;
    for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k) {
      const Motion<double>& axis = data.axis[k];
      const Motion<double>& rate = data.axis_rate[k];
      const auto two_B = [&](const Motion<double>& m) -> Force<double> {
        return {b * m.w, l.cross(m.w) * -2};
      };
      const Force<double> F_a = I * axis;
      const Force<double> I_rate = I * data.axis_rate_v[k];
      Force<double> F_v = two_B(axis);
      F_v.n += I_rate.n * 2;
      F_v.f += I_rate.f * 2;
      const Force<double> F_q =
          two_B(rate) + I * data.axis_acceleration[k] + cross(axis, data.force[i]);
      const Vector3 G =
          b.transpose() * axis.w + l.cross(axis.v) * 2;  // (2B)^T S, angular part; the rest is 0

      data.M(k, k) = dot(axis, F_a) + robot.actuation().armature[k];
      data.dtau_dv(k, k) = dot(axis, F_v);
      data.dtau_dq(k, k) = dot(axis, F_q);
      for (int j = parent[k]; j >= 0; j = parent[j]) {
        const Motion<double>& S_j = data.axis[j];
        const Motion<double>& rate_j = data.axis_rate[j];
        data.M(j, k) = data.M(k, j) = dot(S_j, F_a);
        data.dtau_dv(j, k) = dot(S_j, F_v);
        data.dtau_dq(j, k) = dot(S_j, F_q);
        data.dtau_dv(k, j) = G.dot(S_j.w) + 2 * dot(data.axis_rate_v[j], F_a);
        data.dtau_dq(k, j) = G.dot(rate_j.w) + dot(data.axis_acceleration[j], F_a);
        if (body.v_count > 1 && j >= body.v_begin)  // S_k does not turn with its neighbour S_j
          data.dtau_dq(k, j) += dot(axis, cross(S_j, data.force[i]));
      }
    }
    if (body.parent >= 0) {
      data.inertia[body.parent] += I;
      data.momentum[body.parent] += data.momentum[i];
      data.twist_rate[body.parent] += b;
    }
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                           \
  template void inverse_dynamics<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&, \
                                    const VectorRefOf<S>&, const VectorRefOf<S>&);       \
  template void body_forces<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&,      \
                               const VectorRefOf<S>&, const VectorRefOf<S>&);
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
