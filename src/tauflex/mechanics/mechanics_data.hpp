// The one workspace of mechanics, per thread and scalar, allocated once. Fields are grouped by the
// function that computes them; everything is in world axes at the world origin (math/spatial.hpp).
#pragma once

#include <limits>
#include <vector>

#include "tauflex/math/jet.hpp"
#include "tauflex/math/spatial.hpp"
#include "tauflex/model/robot.hpp"

namespace tauflex {

template <class S>
struct MechanicsData {
  explicit MechanicsData(const Robot& robot)
      : q(VectorOf<S>::Constant(robot.tree_nq(), S(std::numeric_limits<double>::quiet_NaN()))),
        R(robot.bodies().size()),
        p(robot.bodies().size()),
        axis(static_cast<size_t>(robot.tree_nv())),
        velocity(robot.bodies().size()),
        acceleration(robot.bodies().size()),
        force(robot.bodies().size()),
        tau(VectorOf<S>::Zero(robot.tree_nv())),
        inertia(robot.bodies().size()),
        M(MatrixOf<S>::Zero(robot.tree_nv(), robot.tree_nv())),
        momentum(robot.bodies().size()),
        twist_rate(robot.bodies().size()),
        axis_rate(static_cast<size_t>(robot.tree_nv())),
        axis_rate_v(static_cast<size_t>(robot.tree_nv())),
        axis_acceleration(static_cast<size_t>(robot.tree_nv())),
        dtau_dq(M),
        dtau_dv(M),
        articulated(robot.bodies().size()),
        bias(robot.bodies().size()),
        hinge(static_cast<size_t>(robot.tree_nv())),
        coriolis(static_cast<size_t>(robot.tree_nv())),
        hinge_inertia(VectorOf<S>::Zero(robot.tree_nv())),
        hinge_torque(hinge_inertia),
        stretch(VectorOf<S>::Zero(robot.rotors())),
        stretch_rate(stretch),
        spring_torque(stretch),
        tree_acceleration(hinge_inertia) {}

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

  // computed by mass_matrix()
  std::vector<BodyInertia<S>> inertia;  // of each body and all it carries
  MatrixOf<S> M;                        // tree_nv x tree_nv, rigid drives' armatures included

  // computed by inverse_dynamics_derivatives()
  std::vector<Force<S>> momentum;        // of each body and all it carries
  std::vector<Matrix3Of<S>> twist_rate;  // upper left block of 2 B, theory (M.6)
  std::vector<Motion<S>> axis_rate;      // time derivative of each axis, as it matters by q
  std::vector<Motion<S>> axis_rate_v;    // and by v; they differ for spherical joints
  std::vector<Motion<S>> axis_acceleration;
  MatrixOf<S> dtau_dq, dtau_dv;  // tree_nv x tree_nv; joint_torque_derivatives() adds springs

  // computed by tree_accelerations()
  using Matrix6 = Eigen::Matrix<S, 6, 6>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>> articulated;  // inertia, per body
  std::vector<Vector6, Eigen::aligned_allocator<Vector6>> bias;         // force, per body
  std::vector<Vector6, Eigen::aligned_allocator<Vector6>>
      hinge;                        // articulated inertia times axis, per velocity
  std::vector<Motion<S>> coriolis;  // per velocity
  VectorOf<S> hinge_inertia;        // tree_nv
  VectorOf<S> hinge_torque;         // tree_nv

  // computed by drive_spring_torques() and forward_dynamics()
  VectorOf<S> stretch, stretch_rate;  // of each drive spring, rad and rad/s at the joint
  VectorOf<S> spring_torque;          // of each elastic drive at its joint
  VectorOf<S> tree_acceleration;      // tree_nv
};

}  // namespace tauflex
