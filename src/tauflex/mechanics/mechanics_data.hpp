// The workspaces of mechanics, one per thread, allocated once. Fields are grouped by the function
// that computes them; everything is in world axes at the world origin (math/spatial.hpp).
#pragma once

#include <limits>
#include <vector>

#include "tauflex/math/jet.hpp"
#include "tauflex/math/spatial.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

// How one segment of a beam moves and which forces that takes, in the axes and about the origin of
// its start: mechanics/beam_motion.hpp.
template <class S>
struct BeamMotion {
  // computed by kinematics()
  // Start of the segment in the world.
  Matrix3Of<S> R;
  Vector3Of<S> p;
  // The coordinates and their products.
  VectorOf<S> z;
  // Displaced end, from the start, and its rotation vector.
  Vector3Of<S> r, phi;
  // Derivatives of phi, per coordinate.
  std::vector<Vector3Of<S>> phi_by_q;

  // computed by inverse_dynamics()
  VectorOf<S> z_rate, z_acceleration;
  // Forces on z of all that the beam's own mass needs.
  VectorOf<S> load;
  // and on its start, in world axes at the world origin
  Force<S> force;
};

// How a robot moves and which forces that takes, over any scalar.
template <class S>
struct MotionData {
  explicit MotionData(const Robot& robot);
  MotionData(const MotionData&);
  MotionData& operator=(const MotionData&);
  ~MotionData();

  // computed by kinematics()
  // The pose of all that follows, for doubles: not computed twice
  VectorOf<S> q;
  // R_WB, per body
  std::vector<Matrix3Of<S>> R;
  // Origin of the body frame, per body.
  std::vector<Vector3Of<S>> p;
  // Joint axes, per tree velocity.
  std::vector<Motion<S>> axis;
  // Per segment of a beam.
  std::vector<BeamMotion<S>> beam;

  // computed by inverse_dynamics()
  std::vector<Motion<S>> velocity;  // per body
  // per body, minus gravity
  std::vector<Motion<S>> acceleration;
  // Through the joint of each body.
  std::vector<Force<S>> force;
  // tree_nv; joint_torques() adds springs and armatures to it
  VectorOf<S> tau;

  // computed by drive_spring_torques()
  // Of each drive spring, rad and rad/s at the joint.
  VectorOf<S> stretch, stretch_rate;
  // Of each elastic drive at its joint.
  VectorOf<S> spring_torque;
};

// Matrices of one segment of a beam: mechanics/beam_dynamics.hpp.
struct BeamMatrices {
  // computed by beam_jacobians()
  // The displaced points, 3 x points, in the axes of the start, with time derivatives seen from it.
  Matrix r, r_rate, r_acceleration;
  // Their Jacobians times the root of their mass, 3 x n each, one below the other; and derivatives.
  Matrix J, J_rate, J_acceleration;
  // computed by beam_mass()
  // Of the beam's own mass, n x n, and the forces that it puts on the start, 6 x n, in world axes
  // at the world origin.
  Matrix M, start;
  // computed by beam_derivatives()
  // Forces of the beam's own mass on its coordinates, n x n, and on the start, 6 x n.
  Matrix by_q, by_v, start_by_q, start_by_v;
  // Upper part of (2B)^T S of theory (M.6), 3 x n.
  Matrix twist_rate;
  // computed by tree_accelerations()
  // The Cholesky factor of all that the coordinates move, n x n, and their forces on the start.
  Matrix factor, hinge;
  // factor^-1 hinge^T, n x 6, and factor^-1 times what is left of the torques
  Matrix solved;
  Vector torque;
  // V x S v + S' v of the end
  Motion<double> coriolis;
};

// The same over doubles, with mass matrix, derivatives and forward dynamics.
struct MechanicsData : MotionData<double> {
  explicit MechanicsData(const Robot& robot);
  MechanicsData(const MechanicsData&);
  MechanicsData& operator=(const MechanicsData&);
  ~MechanicsData();

  // computed by mass_matrix()
  // Of each body and all it carries.
  std::vector<BodyInertia<double>> inertia;
  // tree_nv x tree_nv, rigid drives' armatures included
  Matrix M;

  // computed by inverse_dynamics_derivatives()
  // Of each body and all it carries.
  std::vector<Force<double>> momentum;
  // Upper left block of 2 B, theory (M.6).
  std::vector<Matrix3> twist_rate;
  // Time derivative of each axis, as it matters by q.
  std::vector<Motion<double>> axis_rate;
  // and by v; they differ for spherical joints
  std::vector<Motion<double>> axis_rate_v;
  std::vector<Motion<double>> axis_acceleration;
  // tree_nv x tree_nv; joint_torque_derivatives() adds springs
  Matrix dtau_dq, dtau_dv;

  // computed by tree_accelerations()
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  // Inertia, per body.
  std::vector<Matrix6> articulated;
  // Force, per body.
  std::vector<Vector6> bias;
  // Articulated inertia times axis, per velocity.
  std::vector<Vector6> hinge;
  std::vector<Motion<double>> coriolis;  // per velocity
  Vector hinge_inertia, hinge_torque;    // tree_nv

  // Per segment of a beam.
  std::vector<BeamMatrices> beam_matrices;

  // computed by forward_dynamics()
  Vector tree_acceleration;  // tree_nv
};

}  // namespace tauflex
