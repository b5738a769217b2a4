// Mass matrix of a segment of a beam, over doubles. The mass
// sits at points whose Jacobians depend on the coordinates; what the end carries acts through its
// axes.                                                                              theory (B.8)
#pragma once

#include "tauflex/mechanics/beam_motion.hpp"

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
// J and r; with their time derivatives where z_rate and z_acceleration are known.
void beam_jacobians(const BeamLayout& beam, const BeamMotion<double>& at, bool rates,
                    BeamMatrices& m);
// After beam_jacobians(): M and start.
void mass_of_points(const BeamLayout& beam, const BeamMotion<double>& at, BeamMatrices& m);
// Adds moment and force of `columns` at the points, in the world; columns are scaled as J is.
void add_at_start(const BeamLayout& beam, const BeamMotion<double>& at, const BeamMatrices& m,
                  const Matrix& columns, Matrix& sum);
inline Force<double> column_force(const Matrix& columns, int k) {
  return {columns.col(k).head<3>(), columns.col(k).tail<3>()};
}

}  // namespace tauflex
