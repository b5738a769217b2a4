// The answer of the method of jets at any time, from the internal state s, s' at the nodes of a
// mesh: series of the joints there by Jets, polynomials between, stretch of the drives under the
// load of the joints, torques by Jets again.                                          theory (P.14)
#pragma once

#include <set>

#include "tauflex/problem/internal_series.hpp"
#include "tauflex/problem/rest_state.hpp"
#include "tauflex/solvers/stretch_motion.hpp"

namespace tauflex {

class JetMotion : public DenseSolution {
 public:
  // `tolerance`: of the torques, relative to their peak.
  JetMotion(const InverseProblem& problem, const RestState& start, double tolerance = 1e-12);
  // Its parts refer to each other.
  JetMotion(const JetMotion&) = delete;
  JetMotion& operator=(const JetMotion&) = delete;

  // Rate of the fastest internal motion, 1/s. Derivatives at nodes carry its powers as rounding:
  // over steps that are long for it fewer of them are used.
  void set_fastest(double rate) { fastest_ = rate; }
  // Starts anew, at rest.
  void clear();
  // s of the next nodes measures orientations from those of q.
  void center(const VectorRef& q);
  // The next steps start at t, where the path may have a corner.
  bool begin_segment(double t, const VectorRef& s, const VectorRef& rate);
  // A step from the last node t to `end`.
  bool append(double t, double end, const VectorRef& s, const VectorRef& rate);
  // After the last step. False when an iteration failed.
  bool finish();
  // Poses only, where nothing is to be integrated.
  bool append_pose(double t, double h);
  // q and v of all joints from the last node on by what is known there: a guess.
  void predict(double t, InternalMotion& out);

  using DenseSolution::at;
  // `offset` moves the guess from which Newton starts: what it changes is rounding.
  bool at(double t, Instant& out, double offset);

  // How far the joints between nodes miss the accelerations that the equations give, halfway in
  // step i, rad/s^2 or m/s^2, beyond what rounding of positions makes of them in so short a step.
  double defect(size_t i);

  // N m or N, of each drive: rounding of the torque that its spring's own motion carries. Besides
  // it there is that of mechanics, which a moved guess shows.
  Vector torque_rounding() const { return torques_of(stretch_.rounding()); }
  // N m or N, of each drive: by how much its torque jumps where two steps meet.
  Vector torque_jumps() const { return torques_of(stretch_.jumps()); }

  // From here on the answer is that of a part of its window, which ends like a window does.
  void keep(double begin, double end) {
    begin_ = begin;
    end_ = end;
  }

  // Steps of any length would fail like the last one did.
  bool is_endless() const { return stretch_.is_endless(); }
  // Nothing to integrate.
  bool is_closed_form() const;
  int steps() const { return static_cast<int>(steps_.size()); }
  double failed_at() const { return failed_at_; }
  const InverseProblem& problem() const { return problem_; }
  InternalDynamics& dynamics() { return dynamics_; }
  const InternalDynamics& dynamics() const { return dynamics_; }
  // Why there was no motion where it failed last.
  const NoMotion& failure() const { return failure_; }
  // Whoever integrates it failed in the step that begins at t; returns false.
  bool fail(double t, const NoMotion& why);
  const Vector& start_q() const { return start_q_; }
  double tolerance() const { return tolerance_; }

 private:
  bool evaluate(double t, Instant& out) override { return at(t, out, 0); }
  struct Step {
    double begin, h;
    // Of all coordinates of joints, over x in [0, 1]
    NewtonForm q;
    Vector pose;  // a guess
    // For the next node.
    bool waits;
  };
  // Coefficients of joints and loads where two steps meet.
  struct NodeSeries {
    double t = 0;
    Matrix q, load;
  };
  bool node_series(double t, const VectorRef& s, const VectorRef& rate, NodeSeries& out);
  int known_derivatives(double h) const;
  std::vector<NewtonForm::Point> points(size_t left, Matrix NodeSeries::*series, int orders) const;
  bool complete(Step& step, size_t left);
  void take(const Step& step, double x);
  bool solve(double t, const VectorRef& s, const VectorRef& rate);
  // Of each drive: what the rotors take for second derivatives of these sizes of the modes.
  Vector torques_of(const Vector& accelerations) const;

  // Its own: an answer outlives the question.
  const InverseProblem problem_;
  InternalDynamics dynamics_;
  InternalSeries series_;
  double tolerance_;
  double fastest_ = 0;
  // The window, or what is kept of it.
  double begin_, end_;
  StretchMotion stretch_;
  Vector start_q_;
  InternalMotion motion_;
  // s = chart q of the nodes that are given; between them s is measured from a guess of the pose.
  Matrix chart_;
  std::vector<Step> steps_;
  // Of this segment, the last three.
  std::vector<NodeSeries> nodes_;
  JointSeries joints_;
  Matrix q_rate_;
  Vector s_, rate_, offset_, pose_, pose_rate_, velocity_;
  StretchState stretch_state_;
  double failed_at_ = 0;
  NoMotion failure_;
};

// Times at which the path, or one of a constraint, is not smooth, with both ends of the window.
std::set<double> corner_times(const InverseProblem& problem);

}  // namespace tauflex
