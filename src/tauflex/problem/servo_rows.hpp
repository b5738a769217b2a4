// What outputs and constraints ask of the joints: one row per motion output, then one per row of g.
//   value          r(q, t) = [c(q) - y_d(t); g(q, t)]       zero on the path
//   Jacobian       C = dr/dq, by directions of v
//   rate           C v = [y_d'; s']
//   acceleration   C vdot = [y_d'' - c_bias; -gamma]                                 theory (P.6)
// Rotors are left out: C has as many columns as the tree has velocities.
#pragma once

#include <string>

#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

class ServoRows {
 public:
  explicit ServoRows(const InverseProblem& problem);

  int size() const { return static_cast<int>(value_.size()); }
  // "servo tool.z", "constraint loop.x"
  std::string name(int row) const;

  // Value and Jacobian at q; y: y_d of all outputs. Calls kinematics().
  void evaluate(MechanicsData& data, double t, const VectorRef& q, const VectorRef& y);
  void evaluate_value(MechanicsData& data, double t, const VectorRef& q, const VectorRef& y);
  const Vector& value() const { return value_; }
  const Matrix& C() const { return C_; }
  auto G() const { return C_.bottomRows(g_.size()); }

  // Right-hand sides; y: y_d and its first two derivatives, one column each.
  void rates(double t, const MatrixRef& y, VectorOut out);
  void accelerations(MechanicsData& data, double t, const VectorRef& q, const VectorRef& v,
                     const MatrixRef& y, VectorOut out);

 private:
  void take_path(const MatrixRef& y);

  const InverseProblem& problem_;
  const Robot& robot_;
  Vector value_, c_, g_, none_;
  Matrix C_, J_;
  // Of the outputs on the path y_, computed by take_path()
  Vector rate_, acceleration_;
  Matrix y_;
};

// One per row: the size of the robot for rows that are lengths, 1 for angles.
Vector servo_units(const InverseProblem& problem);

// The value over other scalars, for series and derivatives of it. Calls kinematics().
template <class S>
class ServoValues {
 public:
  explicit ServoValues(const InverseProblem& problem);

  // q of the whole robot, y_d of all outputs; out: one entry per row.
  void evaluate(const S& t, const VectorRefOf<S>& q, const VectorRefOf<S>& y, VectorOutOf<S> out);

 private:
  const InverseProblem& problem_;
  MotionData<S> data_;
  VectorOf<S> c_, g_, none_;
};

// C and its first two time derivatives along a motion that stays on the path.
class ServoJacobianSeries {
 public:
  explicit ServoJacobianSeries(const InverseProblem& problem);

  // Series of q of the whole robot, and of y_d of all outputs. Calls kinematics().
  void evaluate(const VectorRefOf<ShortJet2>& q, const VectorRefOf<ShortJet2>& y);
  // Order 0 is C itself.
  void derivative(int order, MatrixOut out) const;

 private:
  const InverseProblem& problem_;
  MotionData<ShortJet2> data_;
  MatrixOf<ShortJet2> J_, C_;
};

}  // namespace tauflex
