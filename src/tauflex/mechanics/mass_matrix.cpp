#include "tauflex/mechanics/mass_matrix.hpp"

#include "tauflex/mechanics/beam_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

BodyInertia<double> world_inertia(const Body& body, const Matrix3& R, const Vector3& p) {
  const Vector3 c = p + R * body.com;
  const Vector3 mc = c * body.mass;
  const Matrix3 RI = R * body.inertia;
  Matrix3 J = RI * R.transpose() - mc * c.transpose();
  const double spread = mc.dot(c);
  for (int k = 0; k < 3; ++k) J(k, k) += spread;
  return {body.mass, mc, J};
}

void mass_matrix(const Robot& robot, MechanicsData& data, const VectorRef& q) {
  kinematics(robot, data, q);
  if (robot.is_linearized()) {
    data.M = robot.constant_mass();
    return;
  }
  const auto& bodies = robot.tree().bodies;
  const auto& parent = robot.tree().dof_parent;
  for (size_t i = 0; i < bodies.size(); ++i)
    data.inertia[i] = world_inertia(bodies[i], data.R[i], data.p[i]);
  for (size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    if (body.beam >= 0) {
      add_beam_mass(robot, data, static_cast<int>(i));
      continue;
    }
    for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k) {
      const Force<double> F = data.inertia[i] * data.axis[k];
      data.M(k, k) = dot(data.axis[k], F) + robot.actuation().armature[k];
      for (int j = parent[k]; j >= 0; j = parent[j])
        data.M(j, k) = data.M(k, j) = dot(data.axis[j], F);
    }
    if (body.parent >= 0) data.inertia[body.parent] += data.inertia[i];
  }
}

Robot linearized_at(const Robot& robot, const Vector& q) {
  MechanicsData data(robot);
  mass_matrix(robot, data, q);
  return robot.with_constant_mass(data.M);
}

}  // namespace tauflex
