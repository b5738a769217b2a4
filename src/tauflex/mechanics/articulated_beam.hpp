// A segment of a beam among articulated bodies: its coordinates are eliminated together.
//   tau = M vdot + U^T A + b,   F = I A + U vdot + p                               theory (B.10)
#pragma once

#include "tauflex/mechanics/beam_dynamics.hpp"

namespace tauflex {

// Both take the index of the body, whose joint is a segment of a beam.

// Articulated bodies. After velocities are known, towards the world: eliminates the coordinates
// under torques tau, and adds to the parent's inertia and bias.
void eliminate_beam(const Robot& robot, MechanicsData& data, int i, const VectorRef& v,
                    const VectorRef& tau);
// and away from it: accelerations of the coordinates, from that of the start to that of the end
void accelerate_beam(const Robot& robot, MechanicsData& data, int i, Motion<double>& A,
                     VectorOut vdot);

}  // namespace tauflex
