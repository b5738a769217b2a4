#include "tauflex/problem/servo_rows.hpp"

#include <limits>

#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

ServoRows::ServoRows(const InverseProblem& problem)
    : problem_(problem),
      robot_(problem.robot()),
      value_(problem.motion_output_count() + robot_.constraint_count()),
      c_(problem.output_count()),
      g_(robot_.constraint_count()),
      none_(Vector::Zero(robot_.constraint_count())),
      C_(Matrix::Zero(value_.size(), robot_.tree_nv())),
      J_(Matrix::Zero(problem.output_count(), robot_.nv())),
      rate_(problem.output_count()),
      acceleration_(problem.output_count()),
      y_(Matrix::Constant(problem.output_count(), 3, std::numeric_limits<double>::quiet_NaN())) {}

Vector servo_units(const InverseProblem& problem) {
  const double size = robot_size(problem.robot());
  Vector units(problem.motion_output_count() + problem.robot().constraint_count());
  int row = 0;
  for (const int i : problem.motion_outputs())
    units[row++] = problem.outputs().rows[i].quantity == Quantity::length ? size : 1;
  units.tail(problem.robot().constraint_count()) = constraint_units(problem.robot());
  return units;
}

std::string ServoRows::name(int row) const {
  const int motions = problem_.motion_output_count();
  return row < motions ? problem_.output_row_name(problem_.motion_outputs()[row])
                       : problem_.constraint_row_name(row - motions);
}

void ServoRows::evaluate_value(MechanicsData& data, double t, const VectorRef& q,
                               const VectorRef& y) {
  kinematics<double>(robot_, data, q);
  output_errors<double>(robot_, data, q, none_, problem_.outputs(), y, c_);
  int row = 0;
  for (const int i : problem_.motion_outputs()) value_[row++] = c_[i];
  constraint_values<double>(robot_, data, q, t, value_.tail(g_.size()));
}

void ServoRows::evaluate(MechanicsData& data, double t, const VectorRef& q, const VectorRef& y) {
  evaluate_value(data, t, q, y);
  output_jacobian(robot_, data, problem_.outputs(), y, J_);
  int row = 0;
  for (const int i : problem_.motion_outputs()) C_.row(row++) = J_.row(i).head(C_.cols());
  constraint_jacobian(robot_, data, C_.bottomRows(g_.size()));
}

// Rates of an orientation are series of it: not twice for the same path.
void ServoRows::take_path(const MatrixRef& y) {
  if (y_ == y) return;
  y_ = y;
  output_rates(problem_.outputs(), y, rate_, acceleration_);
}

void ServoRows::rates(double t, const MatrixRef& y, VectorOut out) {
  take_path(y);
  int row = 0;
  for (const int i : problem_.motion_outputs()) out[row++] = rate_[i];
  constraint_rates(robot_, t, out.segment(row, g_.size()));
}

void ServoRows::accelerations(MechanicsData& data, double t, const VectorRef& q, const VectorRef& v,
                              const MatrixRef& y, VectorOut out) {
  constraint_bias(robot_, data, q, v, t, g_);
  take_path(y);
  output_bias(robot_, data, problem_.outputs(), y.col(0), c_);
  int row = 0;
  for (const int i : problem_.motion_outputs()) out[row++] = acceleration_[i] - c_[i];
  out.segment(row, g_.size()) = -g_;
}

template <class S>
ServoValues<S>::ServoValues(const InverseProblem& problem)
    : problem_(problem),
      data_(problem.robot()),
      c_(problem.output_count()),
      g_(problem.robot().constraint_count()),
      none_(problem.robot().constraint_count()) {}

template <class S>
void ServoValues<S>::evaluate(const S& t, const VectorRefOf<S>& q, const VectorRefOf<S>& y,
                              VectorOutOf<S> out) {
  const Robot& robot = problem_.robot();
  kinematics<S>(robot, data_, q);
  output_errors<S>(robot, data_, q, none_, problem_.outputs(), y, c_);
  constraint_values<S>(robot, data_, q, t, g_);
  Eigen::Index row = 0;
  for (const int i : problem_.motion_outputs()) out[row++] = c_[i];
  for (Eigen::Index i = 0; i < g_.size(); ++i) out[row++] = g_[i];
}

template class ServoValues<ShortJet4>;

ServoJacobianSeries::ServoJacobianSeries(const InverseProblem& problem)
    : problem_(problem),
      data_(problem.robot()),
      J_(problem.output_count(), problem.robot().nv()),
      C_(problem.motion_output_count() + problem.robot().constraint_count(),
         problem.robot().tree_nv()) {}

void ServoJacobianSeries::evaluate(const VectorRefOf<ShortJet2>& q,
                                   const VectorRefOf<ShortJet2>& y) {
  const Robot& robot = problem_.robot();
  kinematics<ShortJet2>(robot, data_, q);
  output_jacobian<ShortJet2>(robot, data_, problem_.outputs(), y, J_);
  Eigen::Index row = 0;
  for (const int i : problem_.motion_outputs()) C_.row(row++) = J_.row(i).head(C_.cols());
  constraint_jacobian<ShortJet2>(robot, data_, C_.bottomRows(robot.constraint_count()));
}

void ServoJacobianSeries::derivative(int order, MatrixOut out) const {
  out = C_.unaryExpr([order](const ShortJet2& a) { return a.derivative(order); });
}

}  // namespace tauflex
