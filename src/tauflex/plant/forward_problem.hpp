// What really happens: a plant under motor torques, with an optional controller.
//   u = table(t) + controller(t, q, v), continuous or sampled and held
//   q' = N v,  M v' = B u - h - k + G^T lambda,  and two balances: work put in, energy dissipated
// State x = (q, v, work, dissipated), kept on the constraints by project(), where rotors of elastic
// drives are counted from where their springs are at rest: theory (M.14). Then the stretch of a
// spring has all its digits, however stiff it is. An object is its own workspace: one per thread.
#pragma once

#include <memory>

#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/relative_rotors.hpp"
#include "tauflex/plant/controller.hpp"
#include "tauflex/plant/torque_signal.hpp"

namespace tauflex {

class ForwardProblem {
 public:
  // sample: s, time between two commands of a sampled controller; 0 for a continuous one.
  ForwardProblem(const Robot& plant, TorqueSignal torque,
                 std::shared_ptr<Controller> controller = nullptr, double sample = 0);

  const Robot& plant() const { return plant_; }
  const RelativeRotors& relative() const { return relative_; }
  int drives() const { return torque_.size(); }
  // Of its controller; 0 when it is continuous, or when there is none.
  double sample() const { return sample_; }
  int size() const { return plant_.nq() + plant_.nv() + 2; }
  // With both balances at 0.
  Vector state(const VectorRef& q, const VectorRef& v) const;
  // Positions and velocities of a state.
  void motion(const VectorRef& x, VectorOut q, VectorOut v) const;

  // The right-hand side has a corner, or jumps, at some times: the first of them after t, infinity
  // when there is none. start() at the beginning of a run, enter() at each of them.
  double next_corner(double t) const;
  void start(double t, const VectorRef& x);
  void enter(double t, const VectorRef& x);
  bool jumps() const { return sample_ > 0 || torque_.hold() == Hold::held; }

  void torques(double t, const VectorRef& x, VectorOut u);
  void accelerations(double t, const VectorRef& x, VectorOut vdot, VectorOut lambda);
  void rate(double t, const VectorRef& x, VectorOut xdot);
  // The rate at the nearest state on the constraints: the same there, and smooth close to positions
  // where the constraints lose rank, which the rate itself is not.
  void rate_on_constraints(double t, const VectorRef& x, VectorOut xdot);
  void jacobian(double t, const VectorRef& x, MatrixOut J);
  Projection project(double t, VectorOut x);
  // 1/s, an upper bound on the rate of the fastest vibration or decay.
  double fastest_rate(double t, const VectorRef& x);
  // A tighter bound, which takes longer to compute.
  double largest_rate(double t, const VectorRef& x);
  double usual_independence(const VectorRef& x) {
    return dynamics_.usual_independence(x.head(plant_.nq()));
  }
  RankForecast rank_forecast(double t, const VectorRef& x, double horizon, double usual);

 private:
  void read(const VectorRef& x);
  void command(double t, VectorOut u);

  const Robot& plant_;
  TorqueSignal torque_;
  std::shared_ptr<Controller> controller_;
  double sample_, begin_ = 0;
  int interval_ = 0;
  long samples_ = 0;
  ConstrainedDynamics dynamics_;
  RelativeRotors relative_;
  Matrix B_;
  // computed by read()
  Vector q_, v_, q_drive_, v_drive_;
  Vector x_, u_, held_, vdot_, lambda_, rates_, gradient_;
  Matrix gain_q_, gain_v_, input_q_, input_v_, by_q_, by_v_;
};

}  // namespace tauflex
