// Mass matrix of a segment of a beam, over doubles. The mass sits at points whose Jacobians depend
// on the coordinates; what the end carries acts through its axes.                    theory (B.8)
#pragma once

#include "tauflex/mechanics/beam_motion.hpp"
#include "tauflex/mechanics/beam_sums.hpp"

namespace tauflex {

// All take the index of the body, whose joint is a segment of a beam. After kinematics():

// Computes M and start of data.beam_matrices, of the beam's own mass alone.
void beam_mass(const Robot& robot, MechanicsData& data, int i);

// Inertia of the beam's own mass about the world origin, without its twist; after beam_mass().
BodyInertia<double> beam_inertia(const Robot& robot, const MechanicsData& data, int i);

// Its part of the mass matrix; data.inertia[i] holds what the end carries.
void add_beam_mass(const Robot& robot, MechanicsData& data, int i);

// dS_k/dq_j of the end, j and k velocities of the segment.
Motion<double> beam_axis_change(const Robot& robot, const MechanicsData& data, int i, int j, int k);

// Sum of dS_k/dq_j x_k over the segment that velocity j belongs to; zero for other joints.
Motion<double> beam_velocity_change(const Robot& robot, const MechanicsData& data, int body, int j,
                                    const VectorRef& x);

// Parts that its derivatives share.

inline const BeamLayout& layout_of(const Robot& robot, int i) {
  return robot.tree().beams[robot.tree().bodies[i].beam];
}
// Forces on the start, moment and force in its axes at its origin, in the world.
void start_in_world(const BeamMotion<double>& at, const Matrix& forces, Matrix& in_world);
// Hands part_M of a part on to M and start.
void hand_on_mass(const BeamLayout& beam, int e, BeamMatrices& m);
// Adds the part of twisting sections to M and start.
void add_twist_mass(const BeamLayout& beam, const BeamMotion<double>& at, BeamMatrices& m);
inline Force<double> column_force(const Matrix& columns, int k) {
  return {columns.col(k).head<3>(), columns.col(k).tail<3>()};
}

}  // namespace tauflex
