// What really happens: a plant under motor torques, with an optional controller on the rotors.
//   u = u_ff(t) + kp (q_m,ref(t) - q_m) + kd (v_m,ref(t) - v_m)
//   q' = N v,  v' = M^-1 (B u - h - k),  and two balances: work put in, energy dissipated
// State x = (q, v, work, dissipated). An object is its own workspace: one per thread.
#pragma once

#include <Eigen/Cholesky>
#include <optional>

#include "tauflex/mechanics/motion.hpp"
#include "tauflex/problem/torque_signal.hpp"

namespace tauflex {

// PD control of every motor towards a motion, gains on the motor side.
struct RotorFeedback {
  Vector kp;           // N m/rad, per drive
  Vector kd;           // N m s/rad, per drive
  Vector t;            // reference: times,
  Matrix angle, rate;  // motor angles and rates, one column per time (cubic Hermite between them)
};

class ForwardProblem {
 public:
  ForwardProblem(const Robot& plant, TorqueSignal torque,
                 std::optional<RotorFeedback> feedback = std::nullopt);

  const Robot& plant() const { return plant_; }
  const TorqueSignal& torque() const { return torque_; }
  int size() const { return plant_.nq() + plant_.nv() + 2; }
  Vector state(const VectorRef& q, const VectorRef& v) const;  // with both balances at 0

  // The torque table is entered between two samples: set before integrating over that interval.
  void enter_interval(int interval) { interval_ = interval; }
  bool has_corners() const { return torque_.hold() != Hold::smooth; }

  void torques(double t, const VectorRef& x, VectorOut u);
  void rate(double t, const VectorRef& x, VectorOut xdot);
  void jacobian(double t, const VectorRef& x, MatrixOut J);

 private:
  void reference(double t);
  int interval_at(double t) const { return has_corners() ? interval_ : torque_.interval(t); }

  const Robot& plant_;
  TorqueSignal torque_;
  std::optional<RotorFeedback> feedback_;
  int interval_ = 0;
  MechanicsData<double> mechanics_;
  MotionDerivatives derivatives_;
  Matrix B_;
  Vector u_, vdot_, gradient_, angle_ref_, rate_ref_;
  Eigen::LLT<Matrix> mass_;
};

}  // namespace tauflex
