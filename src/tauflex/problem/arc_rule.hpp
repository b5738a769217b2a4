// Places relative to a circle of radius r in the plane of x and y of its reference, p = (x, y, z):
//   along    r phi            error  r sin(phi - y_d / r)        phi the angle of (x, y)
//   across   r - |(x, y)|     error  ((r - y_d)^2 - x^2 - y^2) / (2 (r - y_d))
//   above    z                error  z - y_d                                        theory (P.23)
#pragma once

#include <numbers>

#include "tauflex/problem/output_rule.hpp"

namespace tauflex::output_rules {

inline void values(const ArcOutput& output, const Place<double>& at, const Rows& rows,
                   VectorOut& c) {
  const Vector3 p = relative_position(at.data, at.robot.frames()[output.frame], output.reference);
  const double parts[] = {output.radius * std::atan2(p[1], p[0]),
                          output.radius - std::hypot(p[0], p[1]), p[2]};
  for (size_t i = 0; i < rows.size(); ++i) c[rows[i]] = parts[output.parts[i]];
}

template <class S>
void errors(const ArcOutput& output, const Place<S>& at, const VectorRefOf<S>& y_d,
            const Rows& rows, VectorOutOf<S>& error) {
  const Vector3Of<S> p =
      relative_position(at.data, at.robot.frames()[output.frame], output.reference);
  const S r(output.radius);
  for (size_t i = 0; i < rows.size(); ++i) {
    const S& y = y_d[rows[i]];
    const S left = r - y;  // from the centre
    error[rows[i]] = output.parts[i] == 0 ? S(r * PlaneVector<S>{p[0], p[1]}.sine_from(S(y / r)))
                     : output.parts[i] == 1
                         ? S((left * left - p[0] * p[0] - p[1] * p[1]) / (left * S(2)))
                         : S(p[2] - y);
  }
}

template <class S>
void add_jacobian(const ArcOutput& output, const Robot& robot, const MotionData<S>& data,
                  const VectorRefOf<S>& y_d, const Rows& rows, MatrixOutOf<S>& J) {
  const Frame& frame = robot.frames()[output.frame];
  const Vector3Of<S> p = relative_position(data, frame, output.reference),
                     at = frame_position(data, frame);
  const Matrix3Of<S> n = frame_rotation(data, output.reference);
  const S r(output.radius);
  for_each_relative_motion(robot, data, frame, output.reference, [&](int k, const Motion<S>& X) {
    const Vector3Of<S> d = n.transpose() * point_velocity<S>(X, at);
    for (size_t i = 0; i < rows.size(); ++i) {
      const S& y = y_d[rows[i]];
      J(rows[i], k) += output.parts[i] == 0
                           ? S(r * PlaneVector<S>{p[0], p[1]}.sine_change(S(y / r), d[0], d[1]))
                       : output.parts[i] == 1 ? S(-(p[0] * d[0] + p[1] * d[1]) / (r - y))
                                              : S(d[2]);
    }
  });
}

inline void add_bias(const ArcOutput& output, const Robot& robot, const MechanicsData& data,
                     const VectorRef&, const Rows& rows, VectorOut& bias) {
  const Frame& frame = robot.frames()[output.frame];
  const Vector3 p = relative_position(data, frame, output.reference);
  const auto [v, a] = relative_rates(data, frame, output.reference);
  const double parts[] = {output.radius * second_derivative_of_angle(p, v, a),
                          -second_derivative_of_length(p, v, a), a[2]};
  for (size_t i = 0; i < rows.size(); ++i) bias[rows[i]] += parts[output.parts[i]];
}

// A distance, less full turns.
inline double error_distance(const ArcOutput& output, const VectorRef& y, const VectorRef& y_d,
                             const Rows& rows) {
  double squares = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    double miss = y[rows[i]] - y_d[rows[i]];
    if (output.parts[i] == 0) miss = std::remainder(miss, 2 * std::numbers::pi * output.radius);
    squares += miss * miss;
  }
  return std::sqrt(squares);
}

}  // namespace tauflex::output_rules
