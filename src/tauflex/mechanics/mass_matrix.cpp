#include "tauflex/mechanics/mass_matrix.hpp"

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

template <class S>
void mass_matrix(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q) {
  kinematics(robot, data, q);
  if (robot.is_linearized()) {
    data.M = robot.constant_mass().template cast<S>();
    return;
  }
  const auto& bodies = robot.bodies();
  const auto& parent = robot.dof_parent();
  const auto at = [](int index) { return static_cast<size_t>(index); };
  for (size_t i = 0; i < bodies.size(); ++i)
    data.inertia[i] = world_inertia(bodies[i], data.R[i], data.p[i]);
  for (size_t i = bodies.size(); i-- > 0;) {
    const Body& body = bodies[i];
    for (int k = body.v_begin; k < body.v_begin + body.v_count; ++k) {
      const Force<S> F = data.inertia[i] * data.axis[at(k)];
      data.M(k, k) = dot(data.axis[at(k)], F) + S(robot.armature()[k]);
      for (int j = parent[at(k)]; j >= 0; j = parent[at(j)])
        data.M(j, k) = data.M(k, j) = dot(data.axis[at(j)], F);
    }
    if (body.parent >= 0) data.inertia[at(body.parent)] += data.inertia[i];
  }
}

Robot linearized_at(const Robot& robot, const Vector& q) {
  MechanicsData<double> data(robot);
  mass_matrix<double>(robot, data, q);
  return robot.with_constant_mass(data.M);
}

#define TAUFLEX_INSTANTIATE(S) \
  template void mass_matrix<S>(const Robot&, MechanicsData<S>&, const VectorRefOf<S>&);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
