// The mass matrix of the tree by composite bodies.
//   M_ij = S_i . I_j S_j, I_j the inertia of body j and all it carries, i between j and the world
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Inertia of one body about the world origin.
BodyInertia<double> world_inertia(const Body& body, const Matrix3& R, const Vector3& p);

// Computes data.M, armatures of rigid drives included. Calls kinematics(). A linearised robot has
// its constant matrix.
void mass_matrix(const Robot& robot, MechanicsData& data, const VectorRef& q);

// After mass_matrix(): inertia of all that velocity k of the tree moves.
inline const BodyInertia<double>& carried_inertia(const Robot& robot, const MechanicsData& data,
                                                  int k) {
  return data.inertia[robot.tree().dof_body[k]];
}

// The robot with the mass matrix it has at q, no velocity forces and no gravity.
Robot linearized_at(const Robot& robot, const Vector& q);

}  // namespace tauflex
