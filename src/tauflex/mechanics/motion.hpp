// The whole left side of (D.1), links and rotors together, and its derivatives.
//   r = M(q) vdot + h(q, v) + k(q, v)      r = B u + G^T lambda on a motion            theory (M.7)
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Springs can make the motion stiff; without them explicit integrators are faster.
bool may_be_stiff(const Robot& robot);

template <class S>
void motion_forces(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& v, const VectorRefOf<S>& vdot, VectorOutOf<S> r);

struct MotionDerivatives {
  explicit MotionDerivatives(const Robot& robot)
      : stiffness(Matrix::Zero(robot.nv(), robot.nv())),
        damping(Matrix::Zero(robot.nv(), robot.nv())),
        mass(damping) {}
  // dr/dq, nv x nv
  Matrix stiffness;
  // dr/dv, nv x nv
  Matrix damping;
  // dr/dvdot, nv x nv
  Matrix mass;
};

// Leaves data as joint_torque_derivatives() does.
void motion_derivatives(const Robot& robot, MechanicsData& data, const VectorRef& q,
                        const VectorRef& v, const VectorRef& vdot, MotionDerivatives& out);

// B of (D.1), nv x drives.
Matrix input_matrix(const Robot& robot);

}  // namespace tauflex
