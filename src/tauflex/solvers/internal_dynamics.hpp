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

#include <Eigen/LU>
#include <vector>

#include "tauflex/mechanics/mechanics_data.hpp"
#include "tauflex/problem/inverse_problem.hpp"

namespace tauflex {

class InternalDynamics {
 public:
  // Throws ProblemError when the problem is not block triangular or redundant, has quaternions, or
  // springs that couple damped and undamped drives.
  explicit InternalDynamics(const InverseProblem& problem);

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

  // After solve(): coefficients of the series from there on. Q: n x (order + 3), q^(k)/k!;
  // L: ng x (order + 1); load: elastic drives x (order + 1).
  void series(double t, const Motion& m, int order, Matrix& Q, Matrix& L, Matrix& load);

  // d' of the damped springs from the load of all.
  void stretch_rate(const VectorRef& load, const VectorRef& d, VectorOut rate) const;
  // Series of all stretches (elastic drives x (order of load + 2, damped; + 1 undamped)), from d_0.
  bool stretch_series(const Matrix& load, const VectorRef& d, Matrix& series);
  const Matrix& stiffness() const { return K_; }
  const Matrix& damping() const { return D_; }

  // Torques and outputs of the whole robot at the last solve().
  struct Instant {
    Vector q, v, vdot, lambda, u, y;
    double residual = 0;
  };
  bool instant(double t, const VectorRef& s, const VectorRef& rate, const VectorRef& d, Motion& m,
               Instant& out);

  std::string worst_equation() const;
  // Orders of the series that torques need: 1 with damped drives only, 2 with undamped ones.
  int torque_order() const { return undamped_.empty() ? 1 : 2; }

 private:
  void positions(double t, const VectorRef& q, const VectorRef& lambda);
  Vector hardening(const VectorRef& d) const;

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, ny_, ng_, p_;
  std::vector<int> moving_, forces_;  // outputs that are motions, and forces
  std::vector<int> free_, damped_, undamped_;
  MechanicsData<double> mechanics_;
  MechanicsData<Jet> jets_;
  Matrix y_, J_out_, G_, C_, P_, W_, K_, D_, gears_;
  Vector c_, g_, r_, rate_, acceleration_, bias_, zero_, right_;
  Eigen::PartialPivLU<Matrix> P_lu_, W_lu_, D_lu_, gear_lu_;
  VectorOf<Jet> q_jet_, v_jet_, a_jet_, lambda_jet_, y_jet_, c_jet_, g_jet_;
  Matrix Q_, L_, load_, stretch_;
  Eigen::Index worst_ = 0;
};

}  // namespace tauflex
