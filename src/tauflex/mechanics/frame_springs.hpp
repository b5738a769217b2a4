// Springs and dampers along the line between two frames.
//   tau += G^T (K (l - l0) + D G v)       G = dl/dq                                    theory (C.5)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// After kinematics(): what the drives must give against the springs, added to tau.
template <class S>
void add_frame_spring_forces(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& v,
                             VectorOutOf<S> tau);

// After kinematics(): derivatives of it by q and v, added.
void add_frame_spring_derivatives(const Robot& robot, const MechanicsData& data, const VectorRef& v,
                                  MatrixOut by_q, MatrixOut by_v);

// After kinematics(): the power they dissipate, W, and its derivative by v, added to `gradient`.
double frame_spring_dissipation(const Robot& robot, const MechanicsData& data, const VectorRef& v);
void add_frame_spring_dissipation_gradient(const Robot& robot, const MechanicsData& data,
                                           const VectorRef& v, VectorOut gradient);

}  // namespace tauflex
