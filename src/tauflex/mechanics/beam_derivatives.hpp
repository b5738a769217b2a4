// Derivatives of the forces of a segment of a beam, over doubles.
//   dtau_k/dq_l = sum S_k . (2B S_l' + I S_l'') + dS_l/dq_k . F
//   dtau_k/dv_l = sum S_k . (2B S_l + 2 I S_l')                                      theory (B.9)
#pragma once

#include "tauflex/mechanics/beam_dynamics.hpp"

namespace tauflex {

// All take the index of the body, whose joint is a segment of a beam.

// After inverse_dynamics(): first and second time derivatives of the axes of the end, in
// data.axis_rate, axis_rate_v and axis_acceleration.
void beam_axis_rates(const Robot& robot, MechanicsData& data, int i);

// After inverse_dynamics() and beam_axis_rates(), once everything that the end carries is summed in
// inertia, momentum, twist_rate and force of the body: its rows and columns of dtau_dq, dtau_dv and
// M, and its share of the sums of its parent.
void beam_derivatives(const Robot& robot, MechanicsData& data, int i);

}  // namespace tauflex
