// The mass matrix of the tree by composite bodies.
//   M_ij = S_i . I_j S_j, I_j the inertia of body j and all it carries, i between j and the world
#pragma once

#include "tauflex/mechanics/mechanics_data.hpp"

namespace tauflex {

// Inertia of one body about the world origin.
template <class S>
inline BodyInertia<S> world_inertia(const Body& body, const Matrix3Of<S>& R,
                                    const Vector3Of<S>& p) {
  const S m(body.mass);
  const Vector3Of<S> c = p + R * body.com.template cast<S>();
  const Vector3Of<S> mc = c * m;
  const Matrix3Of<S> RI = R * body.inertia.template cast<S>();
  Matrix3Of<S> J = RI * R.transpose() - mc * c.transpose();
  const S spread = mc.dot(c);
  for (int k = 0; k < 3; ++k) J(k, k) += spread;
  return {m, mc, J};
}

// Computes data.M, armatures of rigid drives included. Calls kinematics(). A linearised robot has
// its constant matrix.
void mass_matrix(const Robot& robot, MechanicsData& data, const VectorRef& q);

// After mass_matrix(): inertia of all that velocity k of the tree moves.
inline const BodyInertia<double>& carried_inertia(const Robot& robot, const MechanicsData& data,
                                                  int k) {
  return data.inertia[robot.dof_body()[k]];
}

// The robot with the mass matrix it has at q, no velocity forces and no gravity.
Robot linearized_at(const Robot& robot, const Vector& q);

}  // namespace tauflex
