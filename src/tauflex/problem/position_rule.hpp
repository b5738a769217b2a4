// Components of a position.
//   n . (p - o)
#pragma once

#include "tauflex/problem/output_rule.hpp"

namespace tauflex::output_rules {

template <class S>
Vector3Of<S> frame_axis(const MotionData<S>& data, const Frame& frame, int axis) {
  const Vector3 n = frame.X_BF.R.col(axis);
  if (frame.body < 0) return n;
  return data.R[frame.body] * n;
}

template <class S>
void values(const PositionOutput& output, const Place<S>& at, const Rows& rows, VectorOutOf<S>& c) {
  const Vector3Of<S> r = frame_position(at.data, at.robot.frames()[output.frame]) -
                         frame_position(at.data, output.reference);
  for (size_t k = 0; k < rows.size(); ++k)
    c[rows[k]] = frame_axis(at.data, output.reference, output.axes[k]).dot(r);
}

template <class S>
void add_jacobian(const PositionOutput& output, const Robot& robot, const MotionData<S>& data,
                  const VectorRefOf<S>&, const Rows& rows, MatrixOutOf<S>& J) {
  const Frame& frame = robot.frames()[output.frame];
  const Vector3Of<S> p = frame_position(data, frame);
  const Matrix3Of<S> n = frame_rotation(data, output.reference);
  for_each_relative_motion(robot, data, frame, output.reference, [&](int k, const Motion<S>& X) {
    const Vector3Of<S> velocity = point_velocity<S>(X, p);
    for (size_t i = 0; i < rows.size(); ++i) J(rows[i], k) += n.col(output.axes[i]).dot(velocity);
  });
}

inline void add_bias(const PositionOutput& output, const Robot& robot, const MechanicsData& data,
                     const VectorRef&, const Rows& rows, VectorOut& bias) {
  const Vector3 a =
      relative_rates(data, robot.frames()[output.frame], output.reference).acceleration;
  for (size_t k = 0; k < rows.size(); ++k) bias[rows[k]] += a[output.axes[k]];
}

}  // namespace tauflex::output_rules
