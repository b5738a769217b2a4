#include "tauflex/mechanics/frame_springs.hpp"

#include "tauflex/mechanics/row_forces.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

// l' = G v
template <class S>
S length_rate(const Robot& robot, const MotionData<S>& data, const RowGeometry<S>& line,
              const VectorRefOf<S>& v) {
  return dot(velocity_of(robot, data, line.b(), v), line.wrench()) -
         dot(velocity_of(robot, data, line.a(), v), line.wrench());
}

}  // namespace

template <class S>
void add_frame_spring_forces(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& v,
                             VectorOutOf<S> tau) {
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    const RowGeometry<S> line(robot, data, spring.line);
    const S length = row_value<S>(robot, data, spring.line);
    const S pull = spring.stiffness * (length - S(spring.length)) +
                   spring.damping * length_rate(robot, data, line, v);
    for_each_end_motion(robot, data, line, [&](int k, const Motion<S>& X, double sign) {
      tau[k] += sign * pull * dot(X, line.wrench());
    });
  }
}

void add_frame_spring_derivatives(const Robot& robot, const MechanicsData& data, const VectorRef& v,
                                  MatrixOut by_q, MatrixOut by_v) {
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    const RowGeometry<double> line(robot, data, spring.line);
    const double length = row_value<double>(robot, data, spring.line);
    const double pull = spring.stiffness * (length - spring.length) +
                        spring.damping * length_rate(robot, data, line, v);
    add_row_stiffness(robot, data, line, pull, by_q);
    Vector G = Vector::Zero(robot.tree_nv()), rate_by_q = G;
    for_each_end_motion(robot, data, line, [&](int k, const Motion<double>& X, double sign) {
      G[k] += sign * dot(X, line.wrench());
    });
    add_row_rate_derivative(robot, data, line, v, rate_by_q);
    by_q += G * (G * spring.stiffness + rate_by_q * spring.damping).transpose();
    by_v += G * (G * spring.damping).transpose();
  }
}

double frame_spring_dissipation(const Robot& robot, const MechanicsData& data, const VectorRef& v) {
  double power = 0;
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    const double rate =
        length_rate<double>(robot, data, RowGeometry<double>(robot, data, spring.line), v);
    power += spring.damping * rate * rate;
  }
  return power;
}

void add_frame_spring_dissipation_gradient(const Robot& robot, const MechanicsData& data,
                                           const VectorRef& v, VectorOut gradient) {
  for (const FrameSpringLayout& spring : robot.springs().between_frames) {
    const RowGeometry<double> line(robot, data, spring.line);
    const double force = 2 * spring.damping * length_rate<double>(robot, data, line, v);
    for_each_end_motion(robot, data, line, [&](int k, const Motion<double>& X, double sign) {
      gradient[k] += sign * force * dot(X, line.wrench());
    });
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                 \
  template void add_frame_spring_forces<S>(const Robot&, const MotionData<S>&, \
                                           const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_FORCE_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
