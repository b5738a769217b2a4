// Geometric constraints g(q, t) = 0, their Jacobian G, and what the equations of motion need of
// their second derivatives. Derivatives by q are in the directions of v (theory M.11).
//   gdot  = G v - s'(t)
//   gddot = G vdot + gamma(q, v, t)                                                    theory (C.3)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// After kinematics() of the same q. g has one entry per row of robot.constraints().
template <class S>
void constraint_values(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                       const S& t, VectorOutOf<S> g);

// After kinematics(): G, rows x tree_nv.
template <class S>
void constraint_jacobian(const Robot& robot, const MotionData<S>& data, MatrixOutOf<S> G);
inline void constraint_jacobian(const Robot& robot, const MechanicsData& data, MatrixOut G) {
  constraint_jacobian<double>(robot, data, G);
}

// After kinematics(): G^T lambda added to tau (tree_nv or longer), times `sign`.
template <class S>
void add_constraint_forces(const Robot& robot, const MotionData<S>& data,
                           const VectorRefOf<S>& lambda, double sign, VectorOutOf<S> tau);

// After kinematics(): s'(t), the velocity G v that the rows ask for.
void constraint_rates(const Robot& robot, double t, VectorOut rate);

// gamma; calls kinematics(), computes data.velocity and data.acceleration (without gravity, for
// vdot = 0).
void constraint_bias(const Robot& robot, MechanicsData& data, const VectorRef& q,
                     const VectorRef& v, double t, VectorOut gamma);

// After kinematics(): d(G^T lambda)/dq, tree_nv x tree_nv, added times `sign`.
void add_constraint_force_derivative(const Robot& robot, const MechanicsData& data,
                                     const VectorRef& lambda, double sign, MatrixOut by_q);

// After kinematics(): d(G x)/dq for a fixed x, rows x tree_nv.
void constraint_rate_derivative(const Robot& robot, const MechanicsData& data, const VectorRef& x,
                                MatrixOut by_q);

}  // namespace tauflex
