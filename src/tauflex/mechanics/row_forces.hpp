// The parts of a row's derivatives that constraints and springs between frames share: sums over the
// velocities that move its two frames.
//   G_k  = X_k . F for velocities k that move B, minus those that move A               theory (C.2)
#pragma once

#include "tauflex/mechanics/beam_dynamics.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/row_geometry.hpp"

namespace tauflex {

// f(k, X_k, sign) for every velocity that moves B (+1) and A (-1).
template <class S, class F>
void for_each_end_motion(const Robot& robot, const MotionData<S>& data, const RowGeometry<S>& row,
                         const F& f) {
  for_each_motion(robot, data, row.b(), [&](int k, const Motion<S>& X) { f(k, X, 1.0); });
  for_each_motion(robot, data, row.a(), [&](int k, const Motion<S>& X) { f(k, X, -1.0); });
}

// f(k, X_k) once for every velocity that moves A or B.
template <class S, class F>
void for_each_column(const Robot& robot, const MotionData<S>& data, const RowGeometry<S>& row,
                     const F& f) {
  for_each_motion(robot, data, row.b(), f);
  for_each_motion(robot, data, row.a(), [&](int k, const Motion<S>& X) {
    if (!moves(robot, k, row.b().body)) f(k, X);
  });
}

// d(G^T)/dq times f: entry (k, j) = d(X_k . F)/dq_j summed over both ends, added to by_q.
//   (X_j x X_k) . F where j carries k, and X_k . dF/dq_j                             theory (C.4)
inline void add_row_stiffness(const Robot& robot, const MechanicsData& data,
                              const RowGeometry<double>& row, double f, MatrixOut by_q) {
  using S = double;
  for_each_column(robot, data, row, [&](int j, const Motion<S>& X_j) {
    const Force<S> dF =
        row.change(motion_of(robot, data, row.a(), j), motion_of(robot, data, row.b(), j));
    for_each_end_motion(robot, data, row, [&](int k, const Motion<S>& X_k, double sign) {
      S entry = dot(X_k, dF);
      if (j < k && !same_joint(robot, j, k) && moves(robot, j, robot.tree().dof_body[k]))
        entry += dot(cross(X_j, X_k), row.wrench());
      else if (same_beam(robot, j, k))
        entry += dot(beam_axis_change(robot, data, robot.tree().dof_body[k], j, k), row.wrench());
      by_q(k, j) += S(sign) * f * entry;
    });
  });
}

// d(G x)/dq for a fixed x: out(j) += F . d(V_B - V_A)/dq_j + dF/dq_j . (V_B - V_A), velocities of
// the frames when the tree moves with x
template <class Out>
void add_row_rate_derivative(const Robot& robot, const MechanicsData& data,
                             const RowGeometry<double>& row, const VectorRef& x, Out&& out) {
  using S = double;
  const Motion<S> V_A = velocity_of(robot, data, row.a(), x),
                  V_B = velocity_of(robot, data, row.b(), x);
  const Motion<S> between = V_B + V_A * S(-1);
  for_each_column(robot, data, row, [&](int j, const Motion<S>& X_j) {
    S entry = dot(between, row.change(motion_of(robot, data, row.a(), j),
                                      motion_of(robot, data, row.b(), j)));
    // X_j turns all axes beyond its own joint
    const int body = robot.tree().dof_body[j];
    const Motion<S> own = velocity_of(robot, data, body, x);
    const Motion<S> inside = beam_velocity_change(robot, data, body, j, x);
    if (moves(robot, j, row.b().body))
      entry += dot(cross(X_j, V_B + own * S(-1)) + inside, row.wrench());
    if (moves(robot, j, row.a().body))
      entry -= dot(cross(X_j, V_A + own * S(-1)) + inside, row.wrench());
    out[j] += entry;
  });
}

}  // namespace tauflex
