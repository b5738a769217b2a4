// What is left to integrate when the tool does what it shall, for problems that are block
// triangular.                                                                         theory (P.14)
//   state    s = L q and s': as many as outputs and constraints leave free, by pivoting. One row of
//            L per free direction of v: the coordinate that belongs to it, or, of an orientation,
//            N+(q_c) q, twice the vector part of its turn from a pose q_c
//   q        r(q, t) = 0, L q = s                                 Newton
//   v        C v = rate, E v = s', E = L N(q)
//   v'       C v' = acceleration, and the rows of joints without a drive; lambda too
//            [C 0; M_p -G_p^T; 0 1] (v', lambda) = right-hand side
// Nothing may be left: then outputs and constraints determine every joint, and lambda is that of
// the least torque where drives outnumber outputs: C v' = acceleration, then lambda.
#pragma once

#include <vector>

#include "tauflex/math/newton.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/problem/least_torque.hpp"
#include "tauflex/problem/servo_rows.hpp"

namespace tauflex {

// Why no motion was found: the row that was off most where Newton failed and by how much, or a
// sentence, or neither.
struct NoMotion {
  int row = -1;
  double value = 0;
  const char* reason = "";
};

// The joints at one time, and the matrices they were found with.
struct InternalMotion {
  // Of the whole robot; rotors are not set. Before solve() q is a guess.
  Vector q, v, a, lambda;
  // Of each elastic drive: what its joint asks of the spring, (tau - G^T lambda) there.
  Vector load;
  // What the joints ask for, tree_nv: tau - G^T lambda.
  Vector tau;
  // y_d and its first two derivatives.
  Matrix y;
  Matrix M, G;
  // s = chart q, freedom x tree_nq; set by motion() and InternalDynamics::center().
  Matrix chart;
  // s''
  Vector sddot;
  // [C; E]
  Lu positions;
  // [C 0; M_p -G_p^T; 0 1]; not used where C alone determines v'
  Lu accelerations;
  // Of the last solve(), where it failed.
  NoMotion failure;
};

class InternalDynamics {
 public:
  // Throws ProblemError when the problem is not block triangular; and, unless nothing is left to
  // integrate, when drives outnumber outputs.
  explicit InternalDynamics(const InverseProblem& problem);
  // Others refer to it.
  InternalDynamics(const InternalDynamics&) = delete;
  InternalDynamics& operator=(const InternalDynamics&) = delete;
  ~InternalDynamics();

  const InverseProblem& problem() const { return problem_; }
  const ServoRows& rows() const { return rows_; }
  const DriveTrain& drives() const { return drives_; }

  // Chooses s at a pose.
  void choose(const VectorRef& q);
  // Whether rows of joints without a drive determine how s moves, at a pose; chooses s.
  bool is_regular(const VectorRef& q);
  // Directions of v that belong to s.
  const std::vector<int>& free_joints() const { return free_; }
  int freedom() const { return p_; }
  // Whether s has parts of orientations.
  bool turns() const { return turns_; }
  // From here on s of m measures orientations from those of q; they have to stay within half a
  // turn. At first it is the pose at which s was chosen.
  void center(const VectorRef& q, InternalMotion& m) const;
  // s' of velocities v at a pose q.
  void rates(const InternalMotion& m, const VectorRef& q, const VectorRef& v, VectorOut rate);
  // E, freedom x tree_nv.
  void rate_rows(const InternalMotion& m, const VectorRef& q, MatrixOut E);

  // Of Newton's iteration for q.
  void set_newton(const NewtonCriteria& criteria) { newton_ = criteria; }
  // Relative, of velocities and accelerations: poses that differ by less share their matrices.
  void set_accuracy(double accuracy) { accuracy_ = accuracy; }

  // For another thread: the same free joints and criteria as those of `other`.
  void integrate_the_same(const InternalDynamics& other);

  InternalMotion motion() const;
  // `pace` is a continuation parameter: rates and accelerations of the outputs, not of constraints,
  // times pace and pace^2; 0 is quasi-static, 1 the real speed.
  // Returns false when Newton fails. `iterations` counts its corrections.
  bool solve(double t, const VectorRef& s, const VectorRef& rate, InternalMotion& m,
             double pace = 1, long* iterations = nullptr);

 private:
  bool find_positions(double t, const VectorRef& s, InternalMotion& m, long* iterations);
  bool find_accelerations(double t, InternalMotion& m);
  void factorize(InternalMotion& m);
  void find_sddot(InternalMotion& m);

  const InverseProblem& problem_;
  const Robot& robot_;
  int n_, nq_, ng_, p_;
  // C alone determines v'; lambda follows, that of the least torque or the only one
  bool is_direct_ = false;
  ServoRows rows_;
  DriveTrain drives_;
  LeastTorque least_;
  std::vector<int> free_;
  bool turns_ = false;
  // Pose at which s was chosen, and unit rows of its directions of v.
  Vector chosen_at_;
  Matrix units_;
  MechanicsData mechanics_;
  NewtonCriteria newton_ = {.tolerance = 1e-13, .max_iterations = 20};
  double accuracy_ = 2e-16;
  Matrix P_, W_;
  // N(q), nq x nv; what comes with it
  Matrix N_, by_q_;
  Vector zero_, r_, x_, right_, w_, qdot_, qddot_, change_;
};

}  // namespace tauflex
