// What the rules of outputs share; for output.cpp and the files <kind>_rule.hpp only. A rule says,
// as functions found by its type:
//   values        what the output is
//   errors        how far it is from y_d
//   add_jacobian  the derivative of that
//   rates, add_bias   J v = rate and J vdot = acceleration - bias on the path
//   error_distance    the size of the error, from values
#pragma once

#include <cmath>
#include <vector>

#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/problem/output_kinds.hpp"

namespace tauflex::output_rules {

// Where a robot is and what its constraints carry.
template <class S>
struct Place {
  const Robot& robot;
  const MotionData<S>& data;
  const VectorRefOf<S>& q;
  const VectorRefOf<S>& lambda;
};

using Rows = std::vector<int>;

// What a rule does not say otherwise: errors are the values less the path, their rates are those of
// the path, and the Jacobian does not change along a motion.
template <class Rule, class S>
void errors(const Rule& rule, const Place<S>& at, const VectorRefOf<S>& y_d, const Rows& rows,
            VectorOutOf<S>& error) {
  values(rule, at, rows, error);
  for (const int i : rows) error[i] -= y_d[i];
}
template <class Rule>
void rates(const Rule&, const MatrixRef& y, const Rows& rows, VectorOut& rate,
           VectorOut& acceleration) {
  for (const int i : rows) {
    rate[i] = y(i, 1);
    acceleration[i] = y(i, 2);
  }
}
template <class Rule>
void add_bias(const Rule&, const Robot&, const MechanicsData&, const VectorRef&, const Rows&,
              VectorOut&) {}
template <class Rule>
double error_distance(const Rule&, const VectorRef& y, const VectorRef& y_d, const Rows& rows) {
  double squares = 0;
  for (const int i : rows) squares += (y[i] - y_d[i]) * (y[i] - y_d[i]);
  return std::sqrt(squares);
}

// f(k, X): how velocity k moves a frame as seen from its reference. Velocities that move both are
// met twice.
template <class S, class F>
void for_each_relative_motion(const Robot& robot, const MotionData<S>& data, const Frame& frame,
                              const Frame& reference, const F& f) {
  for_each_motion(robot, data, frame, f);
  for_each_motion(robot, data, reference, [&](int k, const Motion<S>& X) { f(k, X * S(-1.0)); });
}

// Velocity and acceleration (for vdot = 0) of the point of a body that is at p.
template <class S>
Vector3Of<S> point_velocity(const Motion<S>& V, const Vector3Of<S>& p) {
  return V.v + V.w.cross(p);
}
inline Vector3 point_acceleration(const Motion<double>& A, const Motion<double>& V,
                                  const Vector3& p) {
  return A.v + A.w.cross(p) + V.w.cross(point_velocity<double>(V, p));
}

// Where a frame is as seen from its reference, in axes of the reference.
template <class S>
Vector3Of<S> relative_position(const MotionData<S>& data, const Frame& frame,
                               const Frame& reference) {
  return frame_rotation(data, reference).transpose() *
         Vector3Of<S>(frame_position(data, frame) - frame_position(data, reference));
}

// And how it moves there: velocity, and acceleration for vdot = 0, less the reference's own motion
// and what its turning adds (Coriolis).
struct RelativeRates {
  Vector3 velocity, acceleration;
};
inline RelativeRates relative_rates(const MechanicsData& data, const Frame& frame,
                                    const Frame& reference) {
  const Vector3 p = frame_position(data, frame);
  const Motion<double> V = frame_velocity(data, frame), A = frame_acceleration(data, frame),
                       V_r = frame_velocity(data, reference),
                       A_r = frame_acceleration(data, reference);
  const Vector3 v = point_velocity<double>(V, p) - point_velocity<double>(V_r, p);
  const Vector3 a =
      point_acceleration(A, V, p) - point_acceleration(A_r, V_r, p) - 2 * V_r.w.cross(v);
  const Matrix3 n = frame_rotation(data, reference);
  return {n.transpose() * v, n.transpose() * a};
}

// The same of its turning, in world axes.
inline RelativeRates relative_turning(const MechanicsData& data, const Frame& frame,
                                      const Frame& reference) {
  const Vector3 w = frame_velocity(data, frame).w, w_r = frame_velocity(data, reference).w;
  return {w - w_r,
          frame_acceleration(data, frame).w - frame_acceleration(data, reference).w - w_r.cross(w)};
}

// The angle of a vector (x, y) in a plane, and how far it is from y_d as sin(psi - y_d): it has no
// jump at a full turn, and its square root and quotients are smooth wherever there is an angle.
template <class S>
struct PlaneVector {
  S x, y;

  S length() const {
    using std::sqrt;
    return sqrt(x * x + y * y);
  }
  S sine_from(const S& y_d) const {
    using std::cos, std::sin;
    return (y * cos(y_d) - x * sin(y_d)) / length();
  }
  // By how much sine_from() changes when (x, y) changes.
  S sine_change(const S& y_d, const S& dx, const S& dy) const {
    using std::cos, std::sin;
    const S r = length();
    return (x * cos(y_d) + y * sin(y_d)) / r * ((x * dy - y * dx) / (r * r));
  }
};

// psi'' and |(x, y)|'' from the first and second derivatives of (x, y).
inline double second_derivative_of_angle(const Vector3& a, const Vector3& d, const Vector3& dd) {
  const double r2 = a[0] * a[0] + a[1] * a[1];
  return (a[0] * dd[1] - a[1] * dd[0]) / r2 -
         2 * (a[0] * d[0] + a[1] * d[1]) * (a[0] * d[1] - a[1] * d[0]) / (r2 * r2);
}
inline double second_derivative_of_length(const Vector3& a, const Vector3& d, const Vector3& dd) {
  const double r = std::hypot(a[0], a[1]), rate = (a[0] * d[0] + a[1] * d[1]) / r;
  return (a[0] * dd[0] + a[1] * dd[1] + d[0] * d[0] + d[1] * d[1] - rate * rate) / r;
}

}  // namespace tauflex::output_rules
