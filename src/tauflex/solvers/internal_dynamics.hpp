// What is left to integrate when the tool does what it shall, and everything that follows from it
// without differencing. For problems that are block triangular:                       theory (P.14)
//   state    s, s': as many joint coordinates as outputs and constraints leave free, by pivoting
//            d:     stretch of the damped drive springs
//   q        c(q) = y_d, g(q, t) = 0, q_s = s            Newton
//   v, v'    the same differentiated, with the rows of joints without a drive; lambda too
//   series   coefficient after coefficient with one matrix, by Jets:
//            [C_q 0; M_p -G_p^T; 0 1] (A_k, L_k) = right-hand side of order k
//   u        K d + D d' = tau - G^T lambda gives d', d'' from the series of tau, then rotor rows
#pragma once

#include <vector>

#include "tauflex/equations/start.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/dense_solution.hpp"

namespace tauflex {

class InternalDynamics {
 public:
  // Throws ProblemError when the problem is not block triangular or redundant, has quaternions, or
  // springs that couple damped and undamped drives.
  explicit InternalDynamics(const InverseProblem& problem);
  InternalDynamics(const InternalDynamics&) = delete;  // others refer to it
  InternalDynamics& operator=(const InternalDynamics&) = delete;

  const InverseProblem& problem() const { return problem_; }

  // Chooses s at a pose.
  void choose(const VectorRef& q);
  // Whether rows of joints without a drive determine how s moves, at a pose; chooses s.
  bool is_regular(const VectorRef& q);
  const std::vector<int>& free_joints() const { return free_; }  // coordinates that are s
  int freedom() const { return p_; }
  int stretches() const { return static_cast<int>(damped_.size()); }
  const std::vector<int>& damped() const { return damped_; }

  // The motion of the joints at a time, all of the tree: q is a guess at first.
  struct Motion {
    Vector q, v, a, lambda;
    Vector load;  // of each elastic drive: tau - G^T lambda at its joint
  };
  Motion motion() const;
  // s'' in result.a at the free joints. False when Newton fails.
  bool solve(double t, const VectorRef& s, const VectorRef& rate, Motion& m);
  // Approximate d(s'')/d(s, s') at the last solve(), p x 2p: without the curvature of c and g.
  void jacobian(const Motion& m, MatrixOut J);
  // The same, exact, at (t, m) of the last solve().                                 theory (P.15)
  void linearize(double t, const Motion& m, MatrixOut J);
  // Rates and accelerations of the outputs, not of constraints, are taken times f and f^2 in
  // solve(): with 0 the robot is led along its path as if infinitely slowly.
  void set_pace(double f) { pace_ = f; }
  // Relative, of velocities and accelerations: poses that differ by less share their matrices.
  void set_accuracy(double accuracy) { accuracy_ = accuracy; }

  // After solve(): coefficients of the series from there on, order <= 2. Q: n x (order + 3),
  // q^(k)/k!; L: ng x (order + 1); load: elastic drives x (order + 1).
  void series(double t, const Motion& m, int order, Matrix& Q, Matrix& L, Matrix& load);

  // Series of all stretches (elastic drives x (order of load + 2, damped; + 1 undamped)), from d_0.
  bool stretch_series(const Matrix& load, const VectorRef& d, Matrix& series);
  const Matrix& stiffness() const { return K_; }
  const Matrix& damping() const { return D_; }

  // Torques and outputs of the whole robot at a time.
  bool instant(double t, const VectorRef& s, const VectorRef& rate, const VectorRef& d, Motion& m,
               Instant& out);

  std::string worst_equation() const;
  // Orders of the series that torques need: 1 with damped drives only, 2 with undamped ones.
  int torque_order() const { return undamped_.empty() ? 1 : 2; }

 private:
  void positions(double t, const VectorRef& q, const VectorRef& lambda);
  void fill_poses(const Matrix& Q, int last);
  void torque_coefficient(const Matrix& Q, const Matrix& L, int k);
  void add_hardening(const Matrix& series, int k, VectorOut torque) const;
  void change_of_rows(double t, const Motion& m, const VectorRef& dq, VectorOut first,
                      VectorOut second);

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, ny_, ng_, p_;
  std::vector<int> moving_, forces_;  // outputs that are motions, and forces
  std::vector<int> free_, damped_, undamped_;
  MechanicsData mechanics_;
  MotionData<ShortJet4> poses_;    // to order k + 2
  MotionData<ShortJet2> forces2_;  // to order k = 2
  MotionData<Dual> forces1_;       // and k = 1
  Matrix y_, J_out_, G_, C_, P_, W_, K_, D_, gears_;
  Vector c_, g_, r_, x_, rate_, acceleration_, bias_, zero_, right_, w_, tau_;
  Lu P_lu_, W_lu_;
  Lu D_lu_, gear_lu_;
  VectorOf<ShortJet4> q4_, lambda4_, y4_, c4_, g4_;
  VectorOf<ShortJet2> q2_, v2_, a2_, lambda2_;
  VectorOf<Dual> q1_, v1_, a1_, lambda1_;
  Matrix Q_, L_, load_, stretch_;
  Vector angles_, spring_, next_, solved_;
  // for linearize()
  MotionData<ShortJetOfDual> changes_;
  VectorOf<ShortJetOfDual> q_change_, lambda_change_, y_change_, c_change_, g_change_;
  double pace_ = 1;
  double accuracy_ = 2e-16;
  Eigen::Index worst_ = 0;
};

// Whether joints and torques of a problem follow from its internal dynamics.
bool jets_apply(const InverseProblem& problem, const RestState& start);

}  // namespace tauflex
