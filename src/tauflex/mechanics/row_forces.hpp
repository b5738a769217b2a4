// The parts of a row's derivatives that constraints and springs between frames share: sums over the
// joints that carry its two frames.
//   G_k  = S_k . F for joints k that carry B, minus those that carry A                 theory (C.2)
#pragma once

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/row_geometry.hpp"

namespace tauflex {

// f(k, sign) for every velocity that moves B (+1) and A (-1).
template <class F>
void for_each_carrier(const Robot& robot, int body_a, int body_b, const F& f) {
  for (int k = last_dof(robot, body_b); k >= 0; k = robot.dof_parent()[static_cast<size_t>(k)])
    f(k, 1.0);
  for (int k = last_dof(robot, body_a); k >= 0; k = robot.dof_parent()[static_cast<size_t>(k)])
    f(k, -1.0);
}

// Velocity of a body if the joints move with x.
template <class S>
Motion<S> body_motion(const Robot& robot, const MotionData<S>& data, int body,
                      const VectorRefOf<S>& x) {
  Motion<S> X = Motion<S>::zero();
  for (int k = last_dof(robot, body); k >= 0; k = robot.dof_parent()[static_cast<size_t>(k)])
    X += data.axis[static_cast<size_t>(k)] * x[k];
  return X;
}

// Whether joint j moves a body.
inline bool moves(const Robot& robot, int j, int body) {
  for (int k = last_dof(robot, body); k >= j; k = robot.dof_parent()[static_cast<size_t>(k)])
    if (k == j) return true;
  return false;
}

// d(G^T)/dq times f: entry (k, j) = d(S_k . F)/dq_j summed over both ends, added to by_q.
//   (S_j x S_k) . F where j carries k, and S_k . dF/dq_j                             theory (C.4)
template <class S>
void add_row_stiffness(const Robot& robot, const MotionData<S>& data, const RowGeometry<S>& row,
                       const S& f, MatrixOutOf<S> by_q) {
  const auto at = [](int i) { return static_cast<size_t>(i); };
  const Motion<S> still = Motion<S>::zero();
  const auto add_column = [&](int j) {
    const Motion<S>& S_j = data.axis[at(j)];
    const Force<S> dF = row.change(moves(robot, j, row.body_a) ? S_j : still,
                                   moves(robot, j, row.body_b) ? S_j : still);
    for_each_carrier(robot, row.body_a, row.body_b, [&](int k, double sign) {
      S entry = dot(data.axis[at(k)], dF);
      if (j < k && !same_joint(robot, j, k) && moves(robot, j, robot.dof_body()[at(k)]))
        entry += dot(cross(S_j, data.axis[at(k)]), row.wrench());
      by_q(k, j) += S(sign) * f * entry;
    });
  };
  for (int j = last_dof(robot, row.body_b); j >= 0; j = robot.dof_parent()[at(j)]) add_column(j);
  for (int j = last_dof(robot, row.body_a); j >= 0; j = robot.dof_parent()[at(j)])
    if (!moves(robot, j, row.body_b)) add_column(j);
}

// d(G x)/dq for a fixed x: out(j) += F . d(X_B - X_A)/dq_j + dF/dq_j . (X_B - X_A)
template <class S, class Out>
void add_row_rate_derivative(const Robot& robot, const MotionData<S>& data,
                             const RowGeometry<S>& row, const VectorRefOf<S>& x, Out&& out) {
  const auto at = [](int i) { return static_cast<size_t>(i); };
  const Motion<S> still = Motion<S>::zero();
  const Motion<S> X_A = body_motion(robot, data, row.body_a, x),
                  X_B = body_motion(robot, data, row.body_b, x);
  const Motion<S> between = X_B + X_A * S(-1);
  const auto add_column = [&](int j) {
    const Motion<S>& S_j = data.axis[at(j)];
    const bool on_a = moves(robot, j, row.body_a), on_b = moves(robot, j, row.body_b);
    S entry = dot(between, row.change(on_a ? S_j : still, on_b ? S_j : still));
    // S_j turns all axes beyond its own joint
    const Motion<S> own = body_motion(robot, data, robot.dof_body()[at(j)], x);
    if (on_b) entry += dot(cross(S_j, X_B + own * S(-1)), row.wrench());
    if (on_a) entry -= dot(cross(S_j, X_A + own * S(-1)), row.wrench());
    out[j] += entry;
  };
  for (int j = last_dof(robot, row.body_b); j >= 0; j = robot.dof_parent()[at(j)]) add_column(j);
  for (int j = last_dof(robot, row.body_a); j >= 0; j = robot.dof_parent()[at(j)])
    if (!moves(robot, j, row.body_b)) add_column(j);
}

}  // namespace tauflex
