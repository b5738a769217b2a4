// An orientation.
//   half the skew part of R_d^T R,   R_d = R_0 exp(phi_d)                            theory (P.8)
#pragma once

#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/problem/output_rule.hpp"

namespace tauflex::output_rules {

template <class S, class Y>
Vector3Of<S> rotation_vector_in(const Y& y, const Rows& rows) {
  return {y[rows[0]], y[rows[1]], y[rows[2]]};
}

template <class S>
Matrix3Of<S> wanted_rotation(const OrientationOutput& output, const MotionData<S>& data,
                             const VectorRefOf<S>& y_d, const Rows& rows) {
  return frame_rotation(data, output.reference) *
         rotation_from_vector<S>(rotation_vector_in<S>(y_d, rows));
}

inline void values(const OrientationOutput& output, const Place<double>& at, const Rows& rows,
                   VectorOut& c) {
  const Vector3 phi = rotation_vector(frame_rotation(at.data, output.reference).transpose() *
                                      frame_rotation(at.data, at.robot.frames()[output.frame]));
  for (int k = 0; k < 3; ++k) c[rows[k]] = phi[k];
}

template <class S>
void errors(const OrientationOutput& output, const Place<S>& at, const VectorRefOf<S>& y_d,
            const Rows& rows, VectorOutOf<S>& error) {
  const Matrix3Of<S> R_d = wanted_rotation<S>(output, at.data, y_d, rows);
  const Vector3Of<S> turn = turn_between<S>(
      Matrix3Of<S>(R_d.transpose() * frame_rotation(at.data, at.robot.frames()[output.frame])));
  for (int k = 0; k < 3; ++k) error[rows[k]] = turn[k];
}

template <class S>
void add_jacobian(const OrientationOutput& output, const Robot& robot, const MotionData<S>& data,
                  const VectorRefOf<S>& y_d, const Rows& rows, MatrixOutOf<S>& J) {
  const Frame& frame = robot.frames()[output.frame];
  const Matrix3Of<S> R_d = wanted_rotation<S>(output, data, y_d, rows);
  const Matrix3Of<S> E = R_d.transpose() * frame_rotation(data, frame);
  const S trace = E(0, 0) + E(1, 1) + E(2, 2);
  const Matrix3Of<S> turn =
      (Matrix3Of<S>(Matrix3Of<S>::Identity() * trace) - E) * S(0.5) * R_d.transpose();
  for_each_relative_motion(robot, data, frame, output.reference, [&](int k, const Motion<S>& X) {
    const Vector3Of<S> change = turn * X.w;
    for (int i = 0; i < 3; ++i) J(rows[i], k) += change[i];
  });
}

// [w] = R' R^T and [alpha] = R'' R^T + R' R'^T of exp(phi(t)), in the axes of that rotation.
struct TurnRates {
  Vector3 w, alpha;
};
inline TurnRates turn_rates(const Vector3Of<ShortJet2>& phi) {
  const Matrix3Of<ShortJet2> R = rotation_from_vector<ShortJet2>(phi);
  Matrix3 R0, R1, R2;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      R0(a, b) = R(a, b).coefficient(0);
      R1(a, b) = R(a, b).coefficient(1);
      R2(a, b) = 2 * R(a, b).coefficient(2);
    }
  const Matrix3 w = R1 * R0.transpose(), alpha = R2 * R0.transpose() + R1 * R1.transpose();
  return {R0.transpose() * turn_between<double>(w), R0.transpose() * turn_between<double>(alpha)};
}
// Of one row of y and its first two derivatives.
inline ShortJet2 row_series(const MatrixRef& y, int row) {
  ShortJet2 series;
  series[0] = y(row, 0);
  series[1] = y(row, 1);
  series[2] = y(row, 2) / 2;
  return series;
}

inline void rates(const OrientationOutput&, const MatrixRef& y, const Rows& rows, VectorOut& rate,
                  VectorOut& acceleration) {
  const auto [w, alpha] =
      turn_rates({row_series(y, rows[0]), row_series(y, rows[1]), row_series(y, rows[2])});
  for (int k = 0; k < 3; ++k) {
    rate[rows[k]] = w[k];
    acceleration[rows[k]] = alpha[k];
  }
}

inline void add_bias(const OrientationOutput& output, const Robot& robot, const MechanicsData& data,
                     const VectorRef& y_d, const Rows& rows, VectorOut& bias) {
  const Vector3 alpha =
      relative_turning(data, robot.frames()[output.frame], output.reference).acceleration;
  const Vector3 seen = wanted_rotation<double>(output, data, y_d, rows).transpose() * alpha;
  for (int k = 0; k < 3; ++k) bias[rows[k]] += seen[k];
}

// The angle between the two orientations.
inline double error_distance(const OrientationOutput&, const VectorRef& y, const VectorRef& y_d,
                             const Rows& rows) {
  const Matrix3 R_d = rotation_from_vector<double>(rotation_vector_in<double>(y_d, rows)),
                R = rotation_from_vector<double>(rotation_vector_in<double>(y, rows));
  return rotation_vector(R_d.transpose() * R).norm();
}

}  // namespace tauflex::output_rules
