// Taylor series of the joints from what the internal dynamics found at one time, coefficient after
// coefficient with one matrix, by Jets; then torques and outputs of the whole robot.  theory (P.14)
//   [C 0; M_p -G_p^T; 0 1] (A_k, L_k) = right-hand side of order k, A_k of v'
//   qdot = N(q) v gives the coefficients of q
//   C A_k = right-hand side, then L_k of the least torque, where drives outnumber outputs
//   u   K d + D d' = tau - G^T lambda gives d, d', d'' from the series of the load, then rotor rows
#pragma once

#include <optional>

#include "tauflex/mechanics/stretch_series.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/problem/internal_dynamics.hpp"

namespace tauflex {

// Coefficients, one column each: k-th derivative over k!.
struct JointSeries {
  // tree_nq x (order + 3)
  Matrix q;
  // tree_nv x (order + 2)
  Matrix v;
  // Constraint rows x (order + 1).
  Matrix lambda;
  // Elastic drives x (order + 1).
  Matrix load;
};

class InternalSeries {
 public:
  // Throws ProblemError when the stiffness matrix of the drives is singular.
  explicit InternalSeries(const InternalDynamics& dynamics);

  // From what solve() found at t on, order <= 2.
  void joints(double t, const InternalMotion& m, int order, JointSeries& out);

  // Torques and outputs of the whole robot; stretch: what of it does not follow from the load at t.
  // False when there are none: see failure().
  bool instant(double t, const InternalMotion& m, const StretchState& stretch, Instant& out);
  const NoMotion& failure() const { return failure_; }

 private:
  void torque_coefficient(const JointSeries& s, int k);
  void servo_coefficient(double t, int k, JointSeries& s);
  void take_path(double t, int order);
  void begin_least_torque(const InternalMotion& m, const JointSeries& s);
  void least_torque_coefficient(const InternalMotion& m, int k);
  void solve_coefficient(const InternalMotion& m, int k);

  const InternalDynamics& dynamics_;
  const InverseProblem& problem_;
  const Robot& robot_;
  const DriveTrain& drives_;
  int n_, nq_, ng_;
  StretchSeries stretch_;
  MechanicsData mechanics_;
  ServoRows servo_;
  ServoValues<ShortJet4> rows_;
  MotionData<ShortJet2> forces2_;
  MotionData<Dual> forces1_;
  // Where drives outnumber outputs: coefficients of C beyond the first, and of x (n x order + 1).
  struct Least {
    explicit Least(const InverseProblem& problem);
    LeastTorque torque;
    ServoJacobianSeries rows;
    Matrix C[2];
    Matrix x;
    Vector known, wanted, tau;
  };
  std::optional<Least> least_;
  VectorOf<ShortJet4> q4_, y4_, values_;
  VectorOf<ShortJet2> y2_, q2_, v2_, a2_, lambda2_;
  VectorOf<Dual> q1_, v1_, a1_, lambda1_;
  JointSeries series_;
  Matrix y_, stretches_;
  Vector right_, w_, tau_;
  NoMotion failure_;
};

// Whether joints and torques of a problem follow from its internal dynamics.
bool jets_apply(const InverseProblem& problem, const VectorRef& start);

}  // namespace tauflex
