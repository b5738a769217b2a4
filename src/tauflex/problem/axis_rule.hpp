// The direction d of the z axis of a frame.
//   z x D,   D = R_d^T d,   R_d = R_0 exp((y_1, y_2, 0))                             theory (P.21)
// These are sin(theta) a, where a turn by theta about a takes the wanted direction to d.
#pragma once

#include "tauflex/problem/orientation_rule.hpp"

namespace tauflex::output_rules {

template <class S>
Matrix3Of<S> wanted_rotation(const AxisOutput& output, const MotionData<S>& data,
                             const VectorRefOf<S>& y_d, const Rows& rows) {
  return frame_rotation(data, output.reference) *
         rotation_from_vector<S>(Vector3Of<S>(y_d[rows[0]], y_d[rows[1]], S(0)));
}

// d in the axes of R.
template <class S>
Vector3Of<S> direction_in(const Matrix3Of<S>& R, const MotionData<S>& data, const Frame& frame) {
  const Matrix3Of<S> axes = frame_rotation(data, frame);
  return R.transpose() * Vector3Of<S>(axes.col(2));
}

// The shortest turn from the first direction to this one.
inline void values(const AxisOutput& output, const Place<double>& at, const Rows& rows,
                   VectorOut& c) {
  const Vector3 D = direction_in<double>(frame_rotation(at.data, output.reference), at.data,
                                         at.robot.frames()[output.frame]);
  const Vector3 turn = turn_to_direction(D);
  c[rows[0]] = turn[0];
  c[rows[1]] = turn[1];
}

template <class S>
void errors(const AxisOutput& output, const Place<S>& at, const VectorRefOf<S>& y_d,
            const Rows& rows, VectorOutOf<S>& error) {
  const Vector3Of<S> D = direction_in<S>(wanted_rotation<S>(output, at.data, y_d, rows), at.data,
                                         at.robot.frames()[output.frame]);
  error[rows[0]] = -D[1];
  error[rows[1]] = D[0];
}

template <class S>
void add_jacobian(const AxisOutput& output, const Robot& robot, const MotionData<S>& data,
                  const VectorRefOf<S>& y_d, const Rows& rows, MatrixOutOf<S>& J) {
  const Frame& frame = robot.frames()[output.frame];
  const Matrix3Of<S> R_d = wanted_rotation<S>(output, data, y_d, rows);
  const Vector3Of<S> D = direction_in<S>(R_d, data, frame);
  for_each_relative_motion(robot, data, frame, output.reference, [&](int k, const Motion<S>& X) {
    const Vector3Of<S> change = Vector3Of<S>(R_d.transpose() * X.w).cross(D);
    J(rows[0], k) -= change[1];
    J(rows[1], k) += change[0];
  });
}

// R_d turns with w_d, and the tool with w_d + s z: its spin s about its axis is free. Both count in
// its acceleration, (R_d^T w')_xy = (w_d' + s w_d x z)_xy.
inline void rates(const AxisOutput&, const MatrixRef& y, const Rows& rows, VectorOut& rate,
                  VectorOut& acceleration) {
  const auto [w, alpha] =
      turn_rates({row_series(y, rows[0]), row_series(y, rows[1]), ShortJet2(0)});
  rate[rows[0]] = w[0];
  rate[rows[1]] = w[1];
  acceleration[rows[0]] = alpha[0] - w[2] * w[1];
  acceleration[rows[1]] = alpha[1] + w[2] * w[0];
}

inline void add_bias(const AxisOutput& output, const Robot& robot, const MechanicsData& data,
                     const VectorRef& y_d, const Rows& rows, VectorOut& bias) {
  const Matrix3 R_d = wanted_rotation<double>(output, data, y_d, rows);
  const auto [turning, change] =
      relative_turning(data, robot.frames()[output.frame], output.reference);
  const Vector3 w = R_d.transpose() * turning, alpha = R_d.transpose() * change;
  bias[rows[0]] += alpha[0] - w[2] * w[1];
  bias[rows[1]] += alpha[1] + w[2] * w[0];
}

// The angle between the two directions.
inline double error_distance(const AxisOutput&, const VectorRef& y, const VectorRef& y_d,
                             const Rows& rows) {
  const auto direction = [&](const VectorRef& at) -> Vector3 {
    return rotation_from_vector<double>({at[rows[0]], at[rows[1]], 0}).col(2);
  };
  const Vector3 d = direction(y), wanted = direction(y_d);
  return std::atan2(wanted.cross(d).norm(), wanted.dot(d));
}

}  // namespace tauflex::output_rules
