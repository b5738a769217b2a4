// The workspaces of mechanics, one per thread, allocated once. Fields are grouped by the function
// that computes them; everything is in world axes at the world origin (math/spatial.hpp).
#pragma once

#include <limits>
#include <vector>

#include "tauflex/math/jet.hpp"
#include "tauflex/math/spatial.hpp"
#include "tauflex/mechanics/link_frame_recursion.hpp"
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

  // computed by body_forces()
  VectorOf<S> z_rate, z_acceleration;
  // Forces on z of all that the beam's own mass needs.
  VectorOf<S> load;
  // and on its start, in world axes at the world origin
  Force<S> force;
};

// What torques in link frames need, for doubles only.
struct LinkFrameData {
  // computed by turn_joints()

  // The pose that the following were computed for, so that it is done once.
  Vector q;
  // Angles of joints that turn, and their sines and cosines; tree_nv.
  Vector angle, sine, cosine;

  // computed by link_frame_torques()
  std::vector<LinkMotion<double>> links;
};

// How a robot moves and which forces that takes, over any scalar.
template <class S>
struct MotionData {
  explicit MotionData(const Robot& robot);
  MotionData(const MotionData&);
  MotionData& operator=(const MotionData&);
  ~MotionData();

  // computed by kinematics()

  // The pose that all that follows was computed for; over doubles it is done once.
  VectorOf<S> q;
  // R_WB, per body
  std::vector<Matrix3Of<S>> R;
  // Origin of the body frame, per body.
  std::vector<Vector3Of<S>> p;
  // Joint axes, per tree velocity.
  std::vector<Motion<S>> axis;
  // Per segment of a beam.
  std::vector<BeamMotion<S>> beam;

  // computed by body_forces()
  std::vector<Motion<S>> velocity;  // per body
  // per body, minus gravity
  std::vector<Motion<S>> acceleration;
  // Through the joint of each body.
  std::vector<Force<S>> force;

  // computed by body_forces() and inverse_dynamics()
  LinkFrameData link_frames;
  // tree_nv; joint_torques() adds springs and armatures to it
  VectorOf<S> tau;

  // computed by drive_spring_torques()

  // Of each drive spring, rad and rad/s at the joint.
  VectorOf<S> stretch, stretch_rate;
  // Of each elastic drive at its joint.
  VectorOf<S> spring_torque;
};

// A sum over the points of a segment of a beam as it is handed on to the coordinates, part by part:
// mechanics/beam_sums.hpp.
struct BeamSum {
  // Rows: coordinates of the part, kinds of sums, others. Columns: coordinates of the part.
  Matrix near;
  // Columns: kinds of sums, up to three times.
  Matrix far;
  // Rows kinds and others of far, of all parts from here on.
  Matrix beyond;
  Matrix product, product_by;
  // Of all coordinates: forces on the start, in its axes at its origin; then the upper part of
  // (2B)^T S of theory (M.6); 9 x n.
  Matrix others;
};

// Matrices of one segment of a beam: mechanics/beam_dynamics.hpp.
struct BeamMatrices {
  // computed by beam_jacobians()

  // The displaced points, 3 x points, in the axes of the start, with time derivatives seen from it.
  Matrix r, r_rate, r_acceleration;
  // Their Jacobians times the root of their mass, three rows each, with time derivatives; columns
  // are those of the point's part: part_columns().
  Matrix J, J_rate, J_acceleration;
  // Derivatives of the kinds of sums by the coordinates, kinds x n, once their element is passed;
  // then their first and second time derivatives.
  Matrix carried;
  // computed by beam_mass() and beam_derivatives()

  // J^T J, J^T J_rate and J^T J_acceleration of a part.
  Matrix part_M, part_v, part_q;
  // The same as they are handed on.
  BeamSum sum_M, sum_v, sum_q;
  // computed by beam_mass()

  // Of the beam's own mass, n x n, and the forces that it puts on the start, 6 x n, in world axes
  // at the world origin.
  Matrix M, start;
  // computed by beam_derivatives()

  // Forces of the beam's own mass on its coordinates, n x n, and on the start, 6 x n.
  Matrix by_q, by_v, start_by_q, start_by_v;
  // (2B)^T S in world axes, 3 x n.
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
  // Time derivative of each axis, for derivatives by q,
  std::vector<Motion<double>> axis_rate;
  // and for those by v; they differ for spherical joints
  std::vector<Motion<double>> axis_rate_v;
  std::vector<Motion<double>> axis_acceleration;
  // tree_nv x tree_nv; joint_torque_derivatives() adds springs
  Matrix dtau_dq, dtau_dv;
  // Of mechanics/derivative_lanes.hpp.
  std::vector<double> derivative_lanes;

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
