#include "tauflex/mechanics/kinematics.hpp"

#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

void sin_cos(double a, double& s, double& c) {
  s = std::sin(a);
  c = std::cos(a);
}
void sin_cos(const Dual& a, Dual& s, Dual& c) {
  s = sin(a);
  c = cos(a);
}

}  // namespace

template <class S>
void kinematics(const Robot& robot, MechanicsData<S>& data, const VectorRefOf<S>& q) {
  const auto& bodies = robot.bodies();
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    Matrix3Of<S> R;
    Vector3Of<S> p;
    if (body.parent < 0) {
      R = body.R_PB.template cast<S>();
      p = body.p_PB.template cast<S>();
    } else {
      const auto parent = static_cast<size_t>(body.parent);
      R.noalias() = data.R[parent] * body.R_PB.template cast<S>();
      p.noalias() = data.p[parent] + data.R[parent] * body.p_PB.template cast<S>();
    }
    switch (body.type) {
      case JointType::fixed:
        break;
      case JointType::revolute: {
        S s, c;
        sin_cos(q[body.q_begin] + S(body.zero), s, c);
        const Vector3Of<S> x = R.col(0), y = R.col(1);
        R.col(0) = x * c + y * s;
        R.col(1) = y * c - x * s;
        const Vector3Of<S> z = R.col(2);
        data.axis[static_cast<size_t>(body.v_begin)] = {z, p.cross(z)};
        break;
      }
      case JointType::prismatic: {
        const Vector3Of<S> z = R.col(2);
        p += z * (q[body.q_begin] + S(body.zero));
        data.axis[static_cast<size_t>(body.v_begin)] = {Vector3Of<S>::Zero(), z};
        break;
      }
    }
    data.R[i] = R;
    data.p[i] = p;
  }
}

template <class S>
Vector3Of<S> frame_position(const MechanicsData<S>& data, const Frame& frame) {
  if (frame.body < 0) return frame.X_BF.p.template cast<S>();
  const auto b = static_cast<size_t>(frame.body);
  return data.p[b] + data.R[b] * frame.X_BF.p.template cast<S>();
}

namespace {

// The last tree velocity that moves a body, -1 for none.
int last_dof(const Robot& robot, int body) {
  for (; body >= 0; body = robot.bodies()[static_cast<size_t>(body)].parent) {
    const Body& b = robot.bodies()[static_cast<size_t>(body)];
    if (b.v_count > 0) return b.v_begin + b.v_count - 1;
  }
  return -1;
}

template <class S>
Vector3Of<S> point_velocity(const Motion<S>& axis, const Vector3Of<S>& p) {
  return axis.v + axis.w.cross(p);
}

}  // namespace

template <class S>
void frame_jacobian(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                    MatrixOutOf<S> J) {
  J.setZero();
  const Vector3Of<S> p = frame_position(data, frame);
  for (int k = last_dof(robot, frame.body); k >= 0; k = robot.dof_parent()[static_cast<size_t>(k)])
    J.col(k) = point_velocity(data.axis[static_cast<size_t>(k)], p);
}

template <class S>
void add_frame_jacobian_row(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                            int component, MatrixOutOf<S> J, int row) {
  const Vector3Of<S> p = frame_position(data, frame);
  for (int k = last_dof(robot, frame.body); k >= 0; k = robot.dof_parent()[static_cast<size_t>(k)])
    J(row, k) += point_velocity(data.axis[static_cast<size_t>(k)], p)[component];
}

template <class S>
void frame_jacobian_derivative(const Robot& robot, const MechanicsData<S>& data, const Frame& frame,
                               const VectorRefOf<S>& x, MatrixOutOf<S> dJx_dq) {
  dJx_dq.setZero();
  const auto& parent = robot.dof_parent();
  const Vector3Of<S> p = frame_position(data, frame);
  for (int b = last_dof(robot, frame.body); b >= 0; b = parent[static_cast<size_t>(b)]) {
    const Vector3Of<S> J_b = point_velocity(data.axis[static_cast<size_t>(b)], p);
    for (int a = b; a >= 0; a = parent[static_cast<size_t>(a)]) {
      const Vector3Of<S> second = data.axis[static_cast<size_t>(a)].w.cross(J_b);
      dJx_dq.col(a) += second * x[b];
      if (a != b) dJx_dq.col(b) += second * x[a];
    }
  }
}

template <class S>
void position_rate(const Robot&, const VectorRefOf<S>&, const VectorRefOf<S>& v,
                   VectorOutOf<S> qdot) {
  qdot = v;
}

#define TAUFLEX_INSTANTIATE(S)                                                                    \
  template void kinematics<S>(const Robot&, MechanicsData<S>&, const VectorRefOf<S>&);            \
  template Vector3Of<S> frame_position<S>(const MechanicsData<S>&, const Frame&);                 \
  template void frame_jacobian<S>(const Robot&, const MechanicsData<S>&, const Frame&,            \
                                  MatrixOutOf<S>);                                                \
  template void add_frame_jacobian_row<S>(const Robot&, const MechanicsData<S>&, const Frame&,    \
                                          int, MatrixOutOf<S>, int);                              \
  template void frame_jacobian_derivative<S>(const Robot&, const MechanicsData<S>&, const Frame&, \
                                             const VectorRefOf<S>&, MatrixOutOf<S>);              \
  template void position_rate<S>(const Robot&, const VectorRefOf<S>&, const VectorRefOf<S>&,      \
                                 VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
