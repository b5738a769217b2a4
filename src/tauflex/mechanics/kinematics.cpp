#include "tauflex/mechanics/kinematics.hpp"

#include <array>

#include "tauflex/mechanics/beam_dynamics.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/link_frame_torques.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

namespace {

void sin_cos(const Complex& a, Complex& s, Complex& c) {
  s = std::sin(a);
  c = std::cos(a);
}

// Of doubles those of turn_joints().
template <class S>
void joint_sin_cos(const Body& body, const MotionData<S>& data, const VectorRefOf<S>& q, S& s,
                   S& c) {
  if constexpr (std::is_same_v<S, double>) {
    s = data.link_frames.sine[body.v_begin];
    c = data.link_frames.cosine[body.v_begin];
  } else {
    sin_cos(q[body.q_begin] + S(body.zero), s, c);
  }
}

// The rotation of (w, x, y, z) / |(w, x, y, z)|.
template <class S>
Matrix3Of<S> quaternion_rotation(const S& w, const S& x, const S& y, const S& z) {
  const S s = S(2) / (w * w + x * x + y * y + z * z);
  Matrix3Of<S> R;
  R.col(0) = Vector3Of<S>(S(1) - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y));
  R.col(1) = Vector3Of<S>(s * (x * y - w * z), S(1) - s * (x * x + z * z), s * (y * z + w * x));
  R.col(2) = Vector3Of<S>(s * (x * z + w * y), s * (y * z - w * x), S(1) - s * (x * x + y * y));
  return R;
}

template <class S>
using Four = std::array<S, 4>;
template <class S>
Four<S> four_of(const VectorRefOf<S>& x, int begin) {
  return {x[begin], x[begin + 1], x[begin + 2], x[begin + 3]};
}
Four<double> unit_four(int i) {
  Four<double> e = {0, 0, 0, 0};
  e[i] = 1;
  return e;
}
template <class S>
S squared_norm(const Four<S>& a) {
  return (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]);
}

// The vector part of a (x) conj(b).
template <class S>
Vector3Of<S> times_conjugate(const Four<S>& a, const Four<S>& b) {
  const Vector3Of<S> av(a[1], a[2], a[3]), bv(b[1], b[2], b[3]);
  return av * b[0] - bv * a[0] - av.cross(bv);
}

}  // namespace

template <class S>
void kinematics(const Robot& robot, MotionData<S>& data, const VectorRefOf<S>& q) {
  if constexpr (std::is_same_v<S, double>) {
    // computed there already; without coordinates this would hold before anything is computed
    if (robot.tree_nq() > 0 && data.q == q.head(robot.tree_nq())) return;
    data.q = q.head(robot.tree_nq());
    turn_joints(robot, data.link_frames, q);
  }
  const auto& bodies = robot.tree().bodies;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    Matrix3Of<S> R;
    Vector3Of<S> p;
    if (body.parent < 0) {
      R = body.R_PB;
      p = body.p_PB;
    } else {
      const int parent = body.parent;
      R = data.R[parent] * body.R_PB;
      p = data.p[parent] + data.R[parent] * body.p_PB;
    }
    switch (body.type) {
      case JointType::fixed:
      case JointType::compound:  // are several bodies
      case JointType::floating:
        break;
      case JointType::spherical: {
        for (int k = 0; k < 3; ++k) {
          const Vector3Of<S> e = R.col(k);
          data.axis[body.v_begin + k] = {e, p.cross(e)};
        }
        R = R * quaternion_rotation<S>(q[body.q_begin], q[body.q_begin + 1], q[body.q_begin + 2],
                                       q[body.q_begin + 3]);
        break;
      }
      case JointType::revolute: {
        S s, c;
        joint_sin_cos<S>(body, data, q, s, c);
        const Vector3Of<S> x = R.col(0), y = R.col(1);
        R.col(0) = x * c + y * s;
        R.col(1) = y * c - x * s;
        const Vector3Of<S> z = R.col(2);
        data.axis[body.v_begin] = {z, p.cross(z)};
        break;
      }
      case JointType::prismatic: {
        const Vector3Of<S> z = R.col(2);
        p += z * (q[body.q_begin] + S(body.zero));
        data.axis[body.v_begin] = {Vector3Of<S>::Zero(), z};
        break;
      }
      case JointType::beam:
        place_beam<S>(robot.tree().beams[body.beam], q.segment(body.q_begin, body.v_count),
                      data.beam[body.beam], R, p, &data.axis[body.v_begin]);
        break;
    }
    data.R[i] = R;
    data.p[i] = p;
  }
}

template <class S>
Vector3Of<S> frame_position(const MotionData<S>& data, const Frame& frame) {
  if (frame.body < 0) return frame.X_BF.p;
  return data.p[frame.body] + data.R[frame.body] * frame.X_BF.p;
}

template <class S>
Matrix3Of<S> frame_rotation(const MotionData<S>& data, const Frame& frame) {
  if (frame.body < 0) return frame.X_BF.R;
  return data.R[frame.body] * frame.X_BF.R;
}

namespace {

template <class S>
Vector3Of<S> point_velocity(const Motion<S>& axis, const Vector3Of<S>& p) {
  return axis.v + axis.w.cross(p);
}

}  // namespace

template <class S>
void frame_jacobian(const Robot& robot, const MotionData<S>& data, const Frame& frame,
                    MatrixOutOf<S> J) {
  J.setZero();
  const Vector3Of<S> p = frame_position(data, frame);
  for_each_motion(robot, data, frame, [&](int k, const Motion<S>& X) {
    const Vector3Of<S> velocity = point_velocity(X, p);
    for (int i = 0; i < 3; ++i) J(i, k) = velocity[i];
  });
}

void frame_jacobian_derivative(const Robot& robot, const MechanicsData& data, const Frame& frame,
                               const VectorRef& x, MatrixOut dJx_dq) {
  dJx_dq.setZero();
  const auto& parent = robot.tree().dof_parent;
  const Vector3 p = frame_position(data, frame);
  for (int b = last_dof(robot, frame.body); b >= 0; b = parent[b]) {
    const Vector3 J_b = point_velocity(data.axis[b], p);
    for (int a = b; a >= 0; a = parent[a]) {
      if (same_beam(robot, a, b)) {
        const Vector3 second =
            point_velocity(beam_axis_change(robot, data, robot.tree().dof_body[a], a, b), p) +
            data.axis[b].w.cross(point_velocity(data.axis[a], p));
        dJx_dq.col(a) += second * x[b];
        if (a != b) dJx_dq.col(b) += second * x[a];
        continue;
      }
      const Vector3 second = data.axis[a].w.cross(J_b);
      dJx_dq.col(b) += second * x[a];
      if (a == b) continue;
      // the axes of a spherical joint do not carry each other
      if (same_joint(robot, a, b))
        dJx_dq.col(a) += data.axis[b].w.cross(point_velocity(data.axis[a], p)) * x[b];
      else
        dJx_dq.col(a) += second * x[b];
    }
  }
}

template <class S>
void position_rate(const Robot& robot, const VectorRefOf<S>& q, const VectorRefOf<S>& v,
                   VectorOutOf<S> qdot) {
  for (int k = 0; k < robot.nv(); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0) qdot[i] = v[k];
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Vector3Of<S> w = three_of<S>(v, at.v) * 0.5;
    const S& s = q[at.q];
    const Vector3Of<S> r = three_of<S>(q, at.q + 1);
    qdot[at.q] = -w.dot(r);
    set_three<S>(qdot, at.q + 1, w * s + w.cross(r));
  }
}

template <class S>
void velocity_of_rate(const Robot& robot, const VectorRefOf<S>& q, const VectorRefOf<S>& qdot,
                      VectorOutOf<S> v) {
  for (int k = 0; k < robot.nv(); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0) v[k] = qdot[i];
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Four<S> x = four_of<S>(q, at.q);
    const S scale = S(2) / squared_norm(x);
    set_three<S>(v, at.v, times_conjugate<S>(four_of<S>(qdot, at.q), x) * scale);
  }
}

void add_velocity_of_rate_derivative(const Robot& robot, const VectorRef& q, const VectorRef& qdot,
                                     MatrixOut dv_dq) {
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Four<double> x = four_of<double>(q, at.q), rate = four_of<double>(qdot, at.q);
    const double scale = 2 / squared_norm(x);
    const Vector3 w = times_conjugate<double>(rate, x) * scale;
    for (int i = 0; i < 4; ++i)
      dv_dq.block<3, 1>(at.v, at.q + i) +=
          times_conjugate<double>(rate, unit_four(i)) * scale - w * (scale * x[i]);
  }
}

void by_coordinates(const Robot& robot, const VectorRef& q, const MatrixRef& by_tangent,
                    MatrixOut by_q) {
  for (int k = 0; k < static_cast<int>(by_tangent.cols()); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0) by_q.col(i) = by_tangent.col(k);
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Four<double> x = four_of<double>(q, at.q);
    for (int i = 0; i < 4; ++i) {
      const Vector3 column = times_conjugate<double>(unit_four(i), x) * (2 / squared_norm(x));
      by_q.col(at.q + i) = by_tangent.col(at.v) * column[0] + by_tangent.col(at.v + 1) * column[1] +
                           by_tangent.col(at.v + 2) * column[2];
    }
  }
}

// A step d of a quaternion x changes v = 2 Im(x' conj(x)), x' = s x + past, by
// -Re(past conj(x)) d - (v/2) x d; every other velocity is s times its coordinate, and more.
void by_step_of_differences(const Robot& robot, const VectorRef& rate, const VectorRef& past,
                            const VectorRef& v, double s, MatrixOut rows) {
  int done = 0;
  const auto scale_until = [&](Eigen::Index end) {
    if (end > done) rows.middleCols(done, end - done) *= s;
  };
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Eigen::Vector4d x = (rate.segment<4>(at.q) - past.segment<4>(at.q)) / s;
    const Matrix3 V = -past.segment<4>(at.q).dot(x) * Matrix3::Identity() -
                      skew<double>(0.5 * v.segment<3>(at.v));
    scale_until(at.v);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const Eigen::RowVector3d turned = rows.row(i).segment<3>(at.v) * V;
      rows.row(i).segment<3>(at.v) = turned;
    }
    done = at.v + 3;
  }
  scale_until(rows.cols());
}

template <class S>
void coordinate_equations(const Robot& robot, const VectorRefOf<S>& q, VectorOutOf<S> r) {
  int row = 0;
  for (const Quaternion& at : robot.coordinates().quaternions)
    r[row++] = (q.template segment<4>(at.q).squaredNorm() - S(1)) * S(0.5);
}

void coordinate_equation_derivatives(const Robot& robot, const VectorRef& q, MatrixOut by_q) {
  by_q.setZero();
  int row = 0;
  for (const Quaternion& at : robot.coordinates().quaternions)
    by_q.block<1, 4>(row++, at.q) = q.segment<4>(at.q).transpose();
}

std::vector<std::string> coordinate_equation_names(const Robot& robot) {
  std::vector<std::string> names;
  for (const Quaternion& at : robot.coordinates().quaternions)
    names.push_back("length of quaternion " + robot.coordinates().names[at.q]);
  return names;
}

// of a quaternion: q' = (0, v) q / 2
void add_position_rate_derivatives(const Robot& robot, const VectorRef& q, const VectorRef& v,
                                   MatrixOut by_q, MatrixOut by_v) {
  for (int k = 0; k < robot.nv(); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0) by_v(i, k) += 1;
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Vector3 w = 0.5 * v.segment<3>(at.v);
    const double s = q[at.q];
    const Vector3 r = q.segment<3>(at.q + 1);
    by_q.block<1, 3>(at.q, at.q + 1) -= w.transpose();
    by_q.block<3, 1>(at.q + 1, at.q) += w;
    by_q.block<3, 3>(at.q + 1, at.q + 1) += skew<double>(w);
    by_v.block<1, 3>(at.q, at.v) -= 0.5 * r.transpose();
    by_v.block<3, 3>(at.q + 1, at.v) += 0.5 * (s * Matrix3::Identity() - skew<double>(r));
  }
}

void normalize(const Robot& robot, VectorOut q) {
  for (const Quaternion& at : robot.coordinates().quaternions) q.segment<4>(at.q).normalize();
}

void move(const Robot& robot, const VectorRef& step, VectorOut q) {
  for (int k = 0; k < static_cast<int>(step.size()); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0) q[i] += step[k];
  for (const Quaternion& at : robot.coordinates().quaternions) {
    const Vector3 w = step.segment<3>(at.v) * 0.5;
    const double s = q[at.q];
    const Vector3 r = q.segment<3>(at.q + 1);
    q[at.q] -= w.dot(r);
    q.segment<3>(at.q + 1) += w * s + w.cross(r);
    q.segment<4>(at.q).normalize();
  }
}

#define TAUFLEX_INSTANTIATE(S)                                                      \
  template void kinematics<S>(const Robot&, MotionData<S>&, const VectorRefOf<S>&); \
  template Vector3Of<S> frame_position<S>(const MotionData<S>&, const Frame&);      \
  template Matrix3Of<S> frame_rotation<S>(const MotionData<S>&, const Frame&);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(ShortJet2)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                               \
  template void frame_jacobian<S>(const Robot&, const MotionData<S>&, const Frame&,          \
                                  MatrixOutOf<S>);                                           \
  template void position_rate<S>(const Robot&, const VectorRefOf<S>&, const VectorRefOf<S>&, \
                                 VectorOutOf<S>);
TAUFLEX_INSTANTIATE(double)
TAUFLEX_INSTANTIATE(Dual)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                                  \
  template void velocity_of_rate<S>(const Robot&, const VectorRefOf<S>&, const VectorRefOf<S>&, \
                                    VectorOutOf<S>);
TAUFLEX_INSTANTIATE(double)
TAUFLEX_INSTANTIATE(Dual)
TAUFLEX_INSTANTIATE(Jet)
TAUFLEX_INSTANTIATE(JetOfDual)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S) \
  template void coordinate_equations<S>(const Robot&, const VectorRefOf<S>&, VectorOutOf<S>);
TAUFLEX_FOR_EACH_SCALAR(TAUFLEX_INSTANTIATE)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
