// The kinematics of an underactuated chain as printed: displacements are split into motion and
// deformation, u = u_m + u_d, and each step is one linear solve for the deformation
//   (K + M / (beta h^2)) du_d = F - R - M (known part of the acceleration)   [Isobe2008, eq. (12)]
// from a posture that the driven joint has turned as a whole. After the step the joints without a
// drive are turned to where the deformation has taken them, with links of their own length: the
// successive revision of the trajectory (Fig. 5). Bars of these links have axial stiffness only.
// Without revision elements lie along the first trajectory and their forces are not turned
// (Fig. 4). First order; kept beside Newton's steps to show the difference.           theory (N.6)
//
// A chain in a plane, its first joint driven, the others without drive and spring; the first link
// rigid or one beam, the others rods along the line from joint to joint.
#pragma once

#include "tauflex/elements/torque_recovery.hpp"
#include "tauflex/problem/dense_solution.hpp"
#include "tauflex/solvers/chain_rods.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

class RevisedChain {
 public:
  // Throws ProblemError when the robot is no such chain.
  RevisedChain(const InverseProblem& problem, const VectorRef& q, const ParallelOptions& options);

  // Step i, which ends at t; the first begins at rest.
  void take(int i, double t, Instant& now);

  // Where joints and tip are, 2 x (links + 1), in axes of the plane.
  const Matrix& nodes() const { return x_; }
  // m: the largest difference between a link's length and its own.
  double elongation() const;
  // N m at every joint, after take().
  const Vector& torques() const { return torques_; }

 private:
  // Of (12), at the posture of a step.
  struct Matrices {
    Matrix M, K;
    // Internal forces, and what the known turning of the first link needs.
    Vector R;
  };
  void read_first_beam(const VectorRef& q);
  Eigen::Vector2d along_first() const;
  void turn_posture(double t);
  void tensions_of_whole_deformation();
  Matrices matrices() const;
  void add_rod(int i, Matrices& out) const;
  void add_first_beam(Matrices& out) const;
  // Whether deformation of an unknown has no velocity and acceleration.
  bool is_static(int unknown) const;
  void turn_with_first(Vector& v, Vector& a) const;
  Vector take_step(double h);
  void revise(const Vector& step);
  void recover();
  void write(Instant& now) const;

  const InverseProblem& problem_;
  ParallelOptions options_;
  ElementFrame frame_;  // with beams straight
  std::vector<ElementFrame::Deflection> deflections_;
  bool revises_, first_bends_ = false;
  int n_ = 0;  // links
  double t_ = 0;
  // Of the first link where it bends: stiffness of its end along, across and in turning, and the
  // mass of its element.
  Matrix3 stiffness_ = Matrix3::Zero();
  Eigen::Matrix4d mass_ = Eigen::Matrix4d::Zero();
  std::vector<ChainRod> rods_;
  // Of the driven joint, since the start, counted about z of the plane.
  double turn_ = 0, rate_ = 0, acceleration_ = 0, sign_ = 1;
  // Nodes at the start, now, and as elements are laid along them in this step.
  Matrix start_, x_, posture_;
  // Unknowns: x, y of nodes 1 .. n, then the turn of the end of the first link.
  Vector v_, a_, motion_, deformed_;
  Vector3 deflection_ = Vector3::Zero();  // of the end of the first link, in its axes
  Vector torques_;
  std::vector<double> direction_, direction_start_;
  Matrix path_;
  std::vector<RecoveryLink> links_;
  std::vector<JointLoad> loads_;
};

}  // namespace tauflex
