// The angle psi of a frame about the z axis of its reference: where a pointer of the frame points,
// seen along that axis.
//   sin(psi - y_d)                                                                  theory (P.22)
#pragma once

#include <numbers>

#include "tauflex/problem/output_rule.hpp"

namespace tauflex::output_rules {

// The pointer in axes of the reference.
template <class S>
Vector3Of<S> pointer_in_reference(const AngleOutput& output, const Robot& robot,
                                  const MotionData<S>& data) {
  return frame_rotation(data, output.reference).transpose() *
         Vector3Of<S>(frame_rotation(data, robot.frames()[output.frame]) * output.pointer);
}

// Full turns are those of the joints: psi is what parallel axes add up to, which is exact where all
// axes are parallel, as in planar arms and in a SCARA.
inline void values(const AngleOutput& output, const Place<double>& at, const Rows& rows,
                   VectorOut& c) {
  const Vector3 h = pointer_in_reference<double>(output, at.robot, at.data);
  const double psi = std::atan2(h[1], h[0]);
  const Vector3 n = frame_rotation(at.data, output.reference).col(2);
  double turned = output.at_zero;
  for_each_relative_motion(at.robot, at.data, at.robot.frames()[output.frame], output.reference,
                           [&](int k, const Motion<double>& X) {
                             const int q = at.robot.coordinates().of_velocity[k];
                             if (q >= 0) turned += n.dot(X.w) * at.q[q];
                           });
  constexpr double turn = 2 * std::numbers::pi;
  c[rows[0]] = psi + turn * std::round((turned - psi) / turn);
}

template <class S>
void errors(const AngleOutput& output, const Place<S>& at, const VectorRefOf<S>& y_d,
            const Rows& rows, VectorOutOf<S>& error) {
  const Vector3Of<S> h = pointer_in_reference<S>(output, at.robot, at.data);
  error[rows[0]] = PlaneVector<S>{h[0], h[1]}.sine_from(y_d[rows[0]]);
}

template <class S>
void add_jacobian(const AngleOutput& output, const Robot& robot, const MotionData<S>& data,
                  const VectorRefOf<S>& y_d, const Rows& rows, MatrixOutOf<S>& J) {
  const Vector3Of<S> h = pointer_in_reference<S>(output, robot, data);
  const Matrix3Of<S> n = frame_rotation(data, output.reference);
  for_each_relative_motion(
      robot, data, robot.frames()[output.frame], output.reference, [&](int k, const Motion<S>& X) {
        const Vector3Of<S> dh = Vector3Of<S>(n.transpose() * X.w).cross(h);
        J(rows[0], k) += PlaneVector<S>{h[0], h[1]}.sine_change(y_d[rows[0]], dh[0], dh[1]);
      });
}

inline void add_bias(const AngleOutput& output, const Robot& robot, const MechanicsData& data,
                     const VectorRef&, const Rows& rows, VectorOut& bias) {
  const Vector3 h = pointer_in_reference<double>(output, robot, data);
  const Matrix3 n = frame_rotation(data, output.reference);
  const auto [turning, change] =
      relative_turning(data, robot.frames()[output.frame], output.reference);
  const Vector3 w = n.transpose() * turning, alpha = n.transpose() * change;
  bias[rows[0]] += second_derivative_of_angle(h, w.cross(h), alpha.cross(h) + w.cross(w.cross(h)));
}

// Less full turns.
inline double error_distance(const AngleOutput&, const VectorRef& y, const VectorRef& y_d,
                             const Rows& rows) {
  return std::abs(std::remainder(y[rows[0]] - y_d[rows[0]], 2 * std::numbers::pi));
}

}  // namespace tauflex::output_rules
