#include "tauflex/mechanics/frame_springs.hpp"

#include "tauflex/mechanics/row_forces.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

size_t at(int index) { return static_cast<size_t>(index); }

// l' = G v
template <class S>
S length_rate(const Robot& robot, const MechanicsData<S>& data, const RowGeometry<S>& line,
              const VectorRefOf<S>& v) {
  return dot(body_motion(robot, data, line.body_b, v), line.wrench()) -
         dot(body_motion(robot, data, line.body_a, v), line.wrench());
}

}  // namespace

template <class S>
void add_frame_spring_forces(const Robot& robot, const MechanicsData<S>& data,
                             const VectorRefOf<S>& v, VectorOutOf<S> tau) {
  for (const FrameSpringLayout& spring : robot.frame_springs()) {
    const RowGeometry<S> line(robot, data, spring.line);
    const S pull = S(spring.stiffness) * (line.value() - S(spring.length)) +
                   S(spring.damping) * length_rate(robot, data, line, v);
    for_each_carrier(robot, line.body_a, line.body_b, [&](int k, double sign) {
      tau[k] += S(sign) * pull * dot(data.axis[at(k)], line.wrench());
    });
  }
}

template <class S>
void add_frame_spring_derivatives(const Robot& robot, const MechanicsData<S>& data,
                                  const VectorRefOf<S>& v, MatrixOutOf<S> by_q,
                                  MatrixOutOf<S> by_v) {
  for (const FrameSpringLayout& spring : robot.frame_springs()) {
    const RowGeometry<S> line(robot, data, spring.line);
    const S pull = S(spring.stiffness) * (line.value() - S(spring.length)) +
                   S(spring.damping) * length_rate(robot, data, line, v);
    add_row_stiffness<S>(robot, data, line, pull, by_q);
    VectorOf<S> G = VectorOf<S>::Zero(robot.tree_nv()), rate_by_q = G;
    for_each_carrier(robot, line.body_a, line.body_b, [&](int k, double sign) {
      G[k] += S(sign) * dot(data.axis[at(k)], line.wrench());
    });
    add_row_rate_derivative<S>(robot, data, line, v, rate_by_q);
    by_q += G * (G * S(spring.stiffness) + rate_by_q * S(spring.damping)).transpose();
    by_v += G * (G * S(spring.damping)).transpose();
  }
}

double frame_spring_dissipation(const Robot& robot, const MechanicsData<double>& data,
                                const VectorRef& v) {
  double power = 0;
  for (const FrameSpringLayout& spring : robot.frame_springs()) {
    const double rate =
        length_rate<double>(robot, data, RowGeometry<double>(robot, data, spring.line), v);
    power += spring.damping * rate * rate;
  }
  return power;
}

void add_frame_spring_dissipation_gradient(const Robot& robot, const MechanicsData<double>& data,
                                           const VectorRef& v, VectorOut gradient) {
  for (const FrameSpringLayout& spring : robot.frame_springs()) {
    const RowGeometry<double> line(robot, data, spring.line);
    const double force = 2 * spring.damping * length_rate<double>(robot, data, line, v);
    for_each_carrier(robot, line.body_a, line.body_b, [&](int k, double sign) {
      gradient[k] += sign * force * dot(data.axis[at(k)], line.wrench());
    });
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                    \
  template void add_frame_spring_forces<S>(const Robot&, const MechanicsData<S>&, \
                                           const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_FOR_EACH_SHORT_JET(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                         \
  template void add_frame_spring_derivatives<S>(const Robot&, const MechanicsData<S>&, \
                                                const VectorRefOf<S>&, MatrixOutOf<S>, \
                                                MatrixOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
