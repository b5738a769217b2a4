#include "tauflex/problem/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/least_squares.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

constexpr double on_target = 1e-9;        // rad or sizes of the robot; rounding stays below 1e-12
constexpr double almost_real = 1e-2;      // imaginary part from which Newton is tried without it
constexpr double same_posture = 1e-6;     // rad or sizes of the robot
constexpr double dependent_rows = 1e-10;  // ratio of singular values at a random pose
constexpr double reached_within = 1e-3;   // rad or sizes of the robot; half a turn is far more
constexpr double loop_turn = 1.5;         // rad

}  // namespace

InverseKinematics::InverseKinematics(const Robot& robot, const Outputs& outputs,
                                     const std::vector<int>& joints, const Vector& q)
    : robot_(robot), outputs_(outputs), joints_(joints), q_(q) {
  const double size = robot_size(robot);
  joint_units_ = velocity_units(robot)(joints_);
  output_units_.resize(outputs.count());
  reach_.resize(outputs.count());
  for (int i = 0; i < outputs.count(); ++i) {
    const bool is_length = outputs.rows[i].quantity == Quantity::length;
    output_units_[i] = is_length ? size : 1;
    reach_[i] = is_length ? size : loop_turn;
  }
  for (const int v : joints_)
    is_angle_.push_back(robot.coordinates().is_angle[robot.coordinates().of_velocity[v]]);
  std::mt19937 random(1);  // the same postures for the same robot
  std::uniform_real_distribution<double> place(-1, 1);
  for (int attempt = 0; attempt < 3 && known_.x.empty(); ++attempt) {
    Vector x(joints_.size());
    for (Eigen::Index i = 0; i < x.size(); ++i)
      x[i] = place(random) * (is_angle_[i] ? std::numbers::pi : 1);
    start_at(x);
  }
}

// Finds all postures at the outputs that x has, unless these depend on each other there.
void InverseKinematics::start_at(const Vector& x) {
  Vector q = q_;
  for (size_t i = 0; i < joints_.size(); ++i)
    q[robot_.coordinates().of_velocity[joints_[i]]] = x[i] * joint_units_[i];
  MechanicsData data(robot_);
  kinematics<double>(robot_, data, q);
  Vector y(outputs_.count());
  output_values(robot_, data, q, Vector::Zero(robot_.constraint_count()), outputs_, y);
  rows_.resize(outputs_.count());
  std::iota(rows_.begin(), rows_.end(), 0);
  ComplexVector r;
  ComplexMatrix J;
  const ComplexEquations f = equations();
  f(x.cast<Complex>(), y.cast<Complex>(), r, J);
  const ColumnOrder order = pivot_columns(J.real().transpose(), dependent_rows);
  if (order.rank < static_cast<int>(joints_.size())) return;
  rows_.assign(order.columns.begin(), order.columns.begin() + order.rank);
  std::sort(rows_.begin(), rows_.end());
  known_ = all_solutions([this] { return equations(); }, is_angle_, y.cast<Complex>(),
                         x.cast<Complex>(), reach_);
}

ComplexEquations InverseKinematics::equations() const {
  struct Workspace {
    MotionData<Complex> data;
    ComplexVector q, lambda, errors;
    ComplexMatrix by_v;
  };
  auto work = std::make_shared<Workspace>(Workspace{
      MotionData<Complex>(robot_), q_.cast<Complex>(),
      ComplexVector::Zero(robot_.constraint_count()), ComplexVector::Zero(outputs_.count()),
      ComplexMatrix::Zero(outputs_.count(), robot_.nv())});
  return [this, work](const ComplexVector& x, const ComplexVector& y, ComplexVector& r,
                      ComplexMatrix& J) {
    for (size_t i = 0; i < joints_.size(); ++i)
      work->q[robot_.coordinates().of_velocity[joints_[i]]] = x[i] * joint_units_[i];
    kinematics<Complex>(robot_, work->data, work->q);
    output_errors<Complex>(robot_, work->data, work->q, work->lambda, outputs_, y, work->errors);
    output_jacobian<Complex>(robot_, work->data, outputs_, y, work->by_v);
    r.resize(static_cast<Eigen::Index>(rows_.size()));
    J.resize(r.size(), static_cast<Eigen::Index>(joints_.size()));
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const int row = rows_[i];
      r[i] = work->errors[row] / output_units_[row];
      for (size_t j = 0; j < joints_.size(); ++j)
        J(i, j) = work->by_v(row, joints_[j]) * (joint_units_[j] / output_units_[row]);
    }
  };
}

std::optional<Vector> InverseKinematics::real_posture(const ComplexEquations& f,
                                                      const ComplexVector& x,
                                                      const Vector& y) const {
  if (x.imag().cwiseAbs().maxCoeff() > almost_real) return std::nullopt;
  ComplexVector r;
  ComplexMatrix J;
  const auto real = [&](const Vector& at, Vector& errors, Matrix& by_joint) {
    f(at.cast<Complex>(), y.cast<Complex>(), r, J);
    errors = r.real();
    by_joint = J.real();
  };
  const LeastSquaresResult exact = least_squares(real, x.real());
  if (!(exact.residual.norm() < on_target)) return std::nullopt;
  Vector q = q_;
  for (size_t i = 0; i < joints_.size(); ++i) {
    const int at = robot_.coordinates().of_velocity[joints_[i]];
    q[at] = exact.x[i] * joint_units_[i];
    if (is_angle_[i] && !outputs_.follows_coordinate(at))
      q[at] = std::remainder(q[at], 2 * std::numbers::pi);
  }
  return outputs_reached(robot_, outputs_, q, y) ? std::optional(q) : std::nullopt;
}

std::vector<Vector> InverseKinematics::postures(const Vector& y) const {
  std::vector<Vector> found;
  std::vector<ComplexVector> distinct;
  const ComplexEquations f = equations();
  for (const ComplexVector& x :
       solutions_at([this] { return equations(); }, is_angle_, known_, y.cast<Complex>(), reach_)) {
    const std::optional<Vector> q = real_posture(f, x, y);
    if (!q) continue;
    ComplexVector joints(joints_.size());
    for (size_t i = 0; i < joints_.size(); ++i)
      joints[i] = (*q)[robot_.coordinates().of_velocity[joints_[i]]] / joint_units_[i];
    if (std::any_of(distinct.begin(), distinct.end(), [&](const ComplexVector& other) {
          return distance_modulo_turns(joints, other, is_angle_) < same_posture;
        }))
      continue;
    distinct.push_back(joints);
    found.push_back(*q);
  }
  return found;
}

bool outputs_reached(const Robot& robot, const Outputs& outputs, const Vector& q, const Vector& y) {
  MechanicsData data(robot);
  kinematics<double>(robot, data, q);
  Vector here(outputs.count());
  output_values(robot, data, q, Vector::Zero(robot.constraint_count()), outputs, here);
  const double size = robot_size(robot);
  return largest_error(outputs, Quantity::length, here, y).value_or(0) < reached_within * size &&
         largest_error(outputs, Quantity::angle, here, y).value_or(0) < reached_within;
}

}  // namespace tauflex
