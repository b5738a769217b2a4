#include "tauflex/problem/output.hpp"

#include <algorithm>

#include "tauflex/math/rotation_vector.hpp"
#include "tauflex/mechanics/frame_motion.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/scalars.hpp"

namespace tauflex {

Outputs::Outputs() = default;
Outputs::Outputs(const Outputs&) = default;
Outputs::Outputs(Outputs&&) noexcept = default;
Outputs& Outputs::operator=(const Outputs&) = default;
Outputs& Outputs::operator=(Outputs&&) noexcept = default;
Outputs::~Outputs() = default;

bool Outputs::has(Quantity quantity) const {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Output& output) { return output.quantity == quantity; });
}

bool Outputs::follows_coordinate(int q) const {
  return std::any_of(groups.begin(), groups.end(), [&](const OutputGroup& group) {
    const auto* coordinate = std::get_if<CoordinateOutput>(&group.rule);
    return coordinate && coordinate->q == q;
  });
}

namespace {

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

template <class S>
Vector3Of<S> frame_axis(const MotionData<S>& data, const Frame& frame, int axis) {
  const Vector3 n = frame.X_BF.R.col(axis);
  if (frame.body < 0) return n;
  return data.R[frame.body] * n;
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
Vector3 point_acceleration(const Motion<double>& A, const Motion<double>& V, const Vector3& p) {
  return A.v + A.w.cross(p) + V.w.cross(point_velocity<double>(V, p));
}

// Position: n . (p - o)

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

// As seen from the reference: less its own motion and what its turning adds (Coriolis).
void add_bias(const PositionOutput& output, const Robot& robot, const MechanicsData& data,
              const VectorRef&, const Rows& rows, VectorOut& bias) {
  const Frame& frame = robot.frames()[output.frame];
  const Vector3 p = frame_position(data, frame);
  const Motion<double> V = frame_velocity(data, frame), A = frame_acceleration(data, frame),
                       V_r = frame_velocity(data, output.reference),
                       A_r = frame_acceleration(data, output.reference);
  const Vector3 a = point_acceleration(A, V, p) - point_acceleration(A_r, V_r, p) -
                    2 * V_r.w.cross(point_velocity<double>(V, p) - point_velocity<double>(V_r, p));
  for (size_t k = 0; k < rows.size(); ++k)
    bias[rows[k]] += frame_axis(data, output.reference, output.axes[k]).dot(a);
}

// Orientation: half the skew part of R_d^T R, R_d = R_0 exp(phi_d)

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

void values(const OrientationOutput& output, const Place<double>& at, const Rows& rows,
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

// [w] = R' R^T and [alpha] = R'' R^T + R' R'^T of R_d(t), in the axes of R_d.
void rates(const OrientationOutput&, const MatrixRef& y, const Rows& rows, VectorOut& rate,
           VectorOut& acceleration) {
  Vector3Of<Jet> phi;
  for (int k = 0; k < 3; ++k) {
    phi[k] = Jet::zero(2);
    phi[k][0] = y(rows[k], 0);
    phi[k][1] = y(rows[k], 1);
    phi[k][2] = y(rows[k], 2) / 2;
  }
  const Matrix3Of<Jet> R = rotation_from_vector<Jet>(phi);
  Matrix3 R0, R1, R2;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      R0(a, b) = R(a, b).coefficient(0);
      R1(a, b) = R(a, b).coefficient(1);
      R2(a, b) = 2 * R(a, b).coefficient(2);
    }
  const Matrix3 w = R1 * R0.transpose(), alpha = R2 * R0.transpose() + R1 * R1.transpose();
  const Vector3 w_d = R0.transpose() * turn_between<double>(w),
                alpha_d = R0.transpose() * turn_between<double>(alpha);
  for (int k = 0; k < 3; ++k) {
    rate[rows[k]] = w_d[k];
    acceleration[rows[k]] = alpha_d[k];
  }
}

void add_bias(const OrientationOutput& output, const Robot& robot, const MechanicsData& data,
              const VectorRef& y_d, const Rows& rows, VectorOut& bias) {
  const Frame& frame = robot.frames()[output.frame];
  const Vector3 w_r = frame_velocity(data, output.reference).w;
  const Vector3 alpha = frame_acceleration(data, frame).w -
                        frame_acceleration(data, output.reference).w -
                        w_r.cross(frame_velocity(data, frame).w);
  const Vector3 seen = wanted_rotation<double>(output, data, y_d, rows).transpose() * alpha;
  for (int k = 0; k < 3; ++k) bias[rows[k]] += seen[k];
}

// The angle between the two orientations.
double error_distance(const OrientationOutput&, const VectorRef& y, const VectorRef& y_d,
                      const Rows& rows) {
  const Matrix3 R_d = rotation_from_vector<double>(rotation_vector_in<double>(y_d, rows)),
                R = rotation_from_vector<double>(rotation_vector_in<double>(y, rows));
  return rotation_vector(R_d.transpose() * R).norm();
}

// Coordinate: q

template <class S>
void values(const CoordinateOutput& output, const Place<S>& at, const Rows& rows,
            VectorOutOf<S>& c) {
  c[rows[0]] = at.q[output.q];
}

template <class S>
void add_jacobian(const CoordinateOutput& output, const Robot&, const MotionData<S>&,
                  const VectorRefOf<S>&, const Rows& rows, MatrixOutOf<S>& J) {
  J(rows[0], output.v) += S(1);
}

// Force: lambda

template <class S>
void values(const ForceOutput& output, const Place<S>& at, const Rows& rows, VectorOutOf<S>& c) {
  c[rows[0]] = at.lambda[output.constraint];
}

template <class S>
void add_jacobian(const ForceOutput&, const Robot&, const MotionData<S>&, const VectorRefOf<S>&,
                  const Rows&, MatrixOutOf<S>&) {}

// f(rule, rows) for every group.
template <class F>
void for_each_rule(const Outputs& outputs, const F& f) {
  for (const OutputGroup& group : outputs.groups)
    std::visit([&](const auto& rule) { f(rule, group.rows); }, group.rule);
}

}  // namespace

void output_values(const Robot& robot, const MechanicsData& data, const VectorRef& q,
                   const VectorRef& lambda, const Outputs& outputs, VectorOut c) {
  const Place<double> at{robot, data, q, lambda};
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) { values(rule, at, rows, c); });
}

template <class S>
void output_errors(const Robot& robot, const MotionData<S>& data, const VectorRefOf<S>& q,
                   const VectorRefOf<S>& lambda, const Outputs& outputs, const VectorRefOf<S>& y_d,
                   VectorOutOf<S> error) {
  const Place<S> at{robot, data, q, lambda};
  for_each_rule(outputs,
                [&](const auto& rule, const Rows& rows) { errors(rule, at, y_d, rows, error); });
}

template <class S>
void output_jacobian(const Robot& robot, const MotionData<S>& data, const Outputs& outputs,
                     const VectorRefOf<S>& y_d, MatrixOutOf<S> J) {
  J.setZero();
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    add_jacobian<S>(rule, robot, data, y_d, rows, J);
  });
}

void output_rates(const Outputs& outputs, const MatrixRef& y, VectorOut rate,
                  VectorOut acceleration) {
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    rates(rule, y, rows, rate, acceleration);
  });
}

void output_bias(const Robot& robot, const MechanicsData& data, const Outputs& outputs,
                 const VectorRef& y_d, VectorOut bias) {
  bias.setZero();
  for_each_rule(outputs, [&](const auto& rule, const Rows& rows) {
    add_bias(rule, robot, data, y_d, rows, bias);
  });
}

double error_size(const OutputGroup& group, const VectorRef& y, const VectorRef& y_d) {
  return std::visit([&](const auto& rule) { return error_distance(rule, y, y_d, group.rows); },
                    group.rule);
}

std::optional<double> largest_error(const Outputs& outputs, Quantity quantity, const VectorRef& y,
                                    const VectorRef& y_d) {
  std::optional<double> largest;
  for (const OutputGroup& group : outputs.groups)
    if (group.quantity == quantity)
      largest = std::max(largest.value_or(0), error_size(group, y, y_d));
  return largest;
}

#define TAUFLEX_INSTANTIATE(S)                                                                 \
  template void output_errors<S>(const Robot&, const MotionData<S>&, const VectorRefOf<S>&,    \
                                 const VectorRefOf<S>&, const Outputs&, const VectorRefOf<S>&, \
                                 VectorOutOf<S>);
TAUFLEX_FOR_EACH_POSE_SCALAR(TAUFLEX_INSTANTIATE)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

#define TAUFLEX_INSTANTIATE(S)                                                         \
  template void output_jacobian<S>(const Robot&, const MotionData<S>&, const Outputs&, \
                                   const VectorRefOf<S>&, MatrixOutOf<S>);
TAUFLEX_INSTANTIATE(double)
TAUFLEX_INSTANTIATE(ShortJet2)
TAUFLEX_INSTANTIATE(Complex)
#undef TAUFLEX_INSTANTIATE

}  // namespace tauflex
