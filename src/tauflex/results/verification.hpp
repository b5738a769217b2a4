// The proof: the torques are fed to a forward simulation of the plant, which shares model,
// mechanics and the torque table with the inverse solution, but no solver; the result is an error
// of the tool.
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/progress.hpp"
#include "tauflex/jobs/verification_options.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

struct Verification {
  Status status = Status::solved;  // missed: above the tolerance
  std::string message;
  VerificationMode mode = VerificationMode::open_loop;
  Hold torque = Hold::linear;
  double growth = 1;  // of small errors over the whole motion, open loop
  int segments = 1;
  std::optional<double> max_tool_error_m;  // none when no output is a length
  std::optional<double> rms_tool_error_m;
  std::optional<double> max_orientation_error_rad;  // none when no output is an angle
  std::optional<double> max_force_error_N;  // of force outputs; without any outputs that of all
                                            // multipliers; else none
  double max_constraint_violation = 0;      // |g(q, t)| in the run, m or rad
  double energy_balance_error =
      0;  // |work - change of energy - dissipation| over the largest energy that moved
  std::string controller;  // of mode feedback, in words
  SentTorques sent;        // ahead of any feedback
  std::string integrator;
  long integrator_steps = 0;

  // The run, for tables and pictures. Where two segments meet it is the end of the one or the start
  // of the other, whichever has the larger tool error.
  Vector t;
  Matrix q, v, u, lambda, y;  // one column per time
  Vector tool_error;          // m (rad when no output is a length), per time
};

// |work - change of energy - dissipation| over the largest energy that moved during a run.
double energy_balance_error(const Robot& plant, const Simulation& run);

Verification verify(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                    const VerificationOptions& options, const Progress& progress = {});

}  // namespace tauflex
