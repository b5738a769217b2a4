// The workspaces of mechanics, one per thread, allocated once. Fields are grouped by the function
// that computes them; everything is in world axes at the world origin (math/spatial.hpp).
#pragma once

#include <limits>
#include <vector>

#include "tauflex/math/jet.hpp"
#include "tauflex/math/spatial.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

// How a robot moves and which forces that takes, over any scalar.
template <class S>
struct MotionData {
  explicit MotionData(const Robot& robot);
  MotionData(const MotionData&);
  MotionData& operator=(const MotionData&);
  ~MotionData();

  // computed by kinematics()
  VectorOf<S> q;                // the pose of all that follows, for doubles: not computed twice
  std::vector<Matrix3Of<S>> R;  // R_WB, per body
  std::vector<Vector3Of<S>> p;  // origin of the body frame, per body
  std::vector<Motion<S>> axis;  // joint axes, per tree velocity

  // computed by inverse_dynamics()
  std::vector<Motion<S>> velocity;      // per body
  std::vector<Motion<S>> acceleration;  // per body, minus gravity
  std::vector<Force<S>> force;          // through the joint of each body
  VectorOf<S> tau;                      // tree_nv; joint_torques() adds springs and armatures to it

  // computed by drive_spring_torques()
  VectorOf<S> stretch, stretch_rate;  // of each drive spring, rad and rad/s at the joint
  VectorOf<S> spring_torque;          // of each elastic drive at its joint
};

// The same over doubles, with mass matrix, derivatives and forward dynamics.
struct MechanicsData : MotionData<double> {
  explicit MechanicsData(const Robot& robot);
  MechanicsData(const MechanicsData&);
  MechanicsData& operator=(const MechanicsData&);
  ~MechanicsData();

  // computed by mass_matrix()
  std::vector<BodyInertia<double>> inertia;  // of each body and all it carries
  Matrix M;                                  // tree_nv x tree_nv, rigid drives' armatures included

  // computed by inverse_dynamics_derivatives()
  std::vector<Force<double>> momentum;      // of each body and all it carries
  std::vector<Matrix3> twist_rate;          // upper left block of 2 B, theory (M.6)
  std::vector<Motion<double>> axis_rate;    // time derivative of each axis, as it matters by q
  std::vector<Motion<double>> axis_rate_v;  // and by v; they differ for spherical joints
  std::vector<Motion<double>> axis_acceleration;
  Matrix dtau_dq, dtau_dv;  // tree_nv x tree_nv; joint_torque_derivatives() adds springs

  // computed by tree_accelerations()
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  std::vector<Matrix6> articulated;      // inertia, per body
  std::vector<Vector6> bias;             // force, per body
  std::vector<Vector6> hinge;            // articulated inertia times axis, per velocity
  std::vector<Motion<double>> coriolis;  // per velocity
  Vector hinge_inertia, hinge_torque;    // tree_nv

  // computed by forward_dynamics()
  Vector tree_acceleration;  // tree_nv
};

}  // namespace tauflex
