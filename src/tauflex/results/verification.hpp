// The proof: the torques are fed to a forward simulation of the plant, which shares model,
// mechanics and the torque table with the inverse solution, but no solver; the result is an error
// of the tool.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/progress.hpp"
#include "tauflex/jobs/verification_options.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"
#include "tauflex/results/coverage.hpp"
#include "tauflex/results/yardstick.hpp"

namespace tauflex {

struct Verification {
  // missed: above the tolerance, or only a part of the task is covered
  Status status = Status::solved;
  std::string message;
  VerificationMode mode = VerificationMode::open_loop;
  Hold torque = Hold::linear;
  // Of small errors over the whole motion, open loop: their growth is its exponential, which may
  // be too large for a number.
  double log_growth = 0;
  double growth() const { return std::exp(log_growth); }
  int segments = 1;
  // What errors may be, and what a robot would have scored that stands still.
  OutputErrors tolerance, standing_still;
  // Of each output: the largest error, and that of standing still.
  Vector output_errors, output_motions;
  // Of the task's time.
  Coverage covered;
  // None when no output is a length.
  std::optional<double> max_tool_error_m;
  std::optional<double> rms_tool_error_m;
  // None when no output is an angle.
  std::optional<double> max_orientation_error_rad;
  // Of force outputs; without any outputs that of all multipliers; else none.
  std::optional<double> max_force_error_N;
  // |g(q, t)| in the run, m or rad
  double max_constraint_violation = 0;
  // |work - change of energy - dissipation| over the largest energy that moved.
  double energy_balance_error = 0;
  // How far the run is from the solution's own motion, of the coordinate where that is the largest
  // share of its range: rad or m, its name and that share. None on another plant, and for a table
  // without a motion.
  std::optional<double> max_motion_error;
  std::string motion_error_of;
  double motion_error_share = 0;
  // Why the torques are not proved although the outputs are within their tolerances, in a sentence;
  // empty: no doubt.
  std::string doubt;
  // Of mode feedback, in words.
  std::string controller;
  // Ahead of any feedback.
  SentTorques sent;
  // What the motors get, with the feedback; none without it: then `sent` is all.
  std::optional<SentTorques> commanded;
  std::string integrator;
  long integrator_steps = 0;

  // The run, for tables and pictures. Where two segments meet it is the end of the one or the start
  // of the other, whichever has the larger tool error.
  Vector t;
  // One column per time.
  Matrix q, v, u, lambda, y;
  // m (rad when no output is a length), per time
  Vector tool_error;

  OutputErrors errors() const {
    return {max_tool_error_m, max_orientation_error_rad, max_force_error_N};
  }
  // The tolerance is so large that a robot at rest would have been within it.
  bool proves_standing_still() const { return !above_tolerance(standing_still, tolerance); }
};

// |work - change of energy - dissipation| over the largest energy that moved during a run.
double energy_balance_error(const Robot& plant, const Simulation& run);
// The same at each time of the run.
Vector energy_imbalance(const Robot& plant, const Simulation& run);

// rad or m: what a tight integrator leaves in the positions
constexpr double integrator_noise = 1e-10;
// First columns of the segments of a run that starts again from the solution wherever errors have
// grown that much.
constexpr double most_growth_in_segment = 1e3;
std::vector<Eigen::Index> segment_starts(const Vector& log_growth);

Verification verify(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                    const VerificationOptions& options, const Progress& progress = {});

}  // namespace tauflex
