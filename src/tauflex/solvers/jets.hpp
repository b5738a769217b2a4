// The method of jets: only the internal dynamics are integrated, by collocation of order 9;
// velocities, accelerations, jerks and torque rates follow by Jets of the path, never by
// differences. The number of steps doubles until the torques agree to the tolerance, and what they
// differ by is reported as their error.                                               theory (P.14)
#pragma once

#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/internal_dynamics.hpp"

namespace tauflex {

// The answer at any time of the window, to the accuracy of the method. An object is its own
// workspace: one per thread.
class JetMotion {
 public:
  explicit JetMotion(const InverseProblem& problem, const RestState& start);

  // `steps` per segment between corners of the path. False when an iteration failed: see
  // failed_at().
  bool integrate(int steps);
  // `offset` moves the guess from which Newton starts: what it changes is rounding.
  bool at(double t, InternalDynamics::Instant& out, double offset = 0);
  bool is_closed_form() const;  // nothing to integrate
  int steps() const { return static_cast<int>(steps_.size()); }
  long iterations() const { return iterations_; }
  double failed_at() const { return failed_at_; }
  const InternalDynamics& dynamics() const { return dynamics_; }

 private:
  struct Step {
    double begin, h;
    Matrix s, d;  // Newton's form of the Hermite interpolants, components x 2 (derivatives known)
    Vector q;     // a guess
  };
  // Taylor coefficients of s and d where two steps meet.
  struct NodeSeries {
    Matrix s, d;
    Vector q;
  };
  bool node_series(double t, const Vector& s, const Vector& v, const Vector& d, NodeSeries& out);
  // S: the series of s from t on, to start Newton from.
  bool step(double t, double h, const Matrix& S, Vector& s, Vector& rate, Vector& d);
  void store(double begin, double h, const NodeSeries& left, const NodeSeries& right);

  const InverseProblem& problem_;
  InternalDynamics dynamics_;
  Vector start_q_, start_d_;
  InternalDynamics::Motion motion_;
  std::vector<InternalDynamics::Motion> stage_;
  std::vector<Step> steps_;
  long iterations_ = 0;
  double failed_at_ = 0;
};

std::optional<StepFailure> solve_by_jets(const InverseProblem& problem, const RestState& start,
                                         const JetOptions& options, const TimeGrid& grid,
                                         const Progress& progress, Solution& solution);

}  // namespace tauflex
