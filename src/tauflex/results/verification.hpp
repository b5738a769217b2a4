// The proof: the torques are fed to a forward simulation of the plant, which shares model,
// mechanics and the torque table with the inverse solution, but no solver; the result is an error
// of the tool.
#pragma once

#include <optional>
#include <string>

#include "tauflex/base/node.hpp"
#include "tauflex/base/progress.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/torque_signal.hpp"
#include "tauflex/results/control.hpp"
#include "tauflex/solvers/simulate.hpp"
#include "tauflex/solvers/solution.hpp"

namespace tauflex {

enum class VerificationMode {
  automatic,  // open_loop while growth x 1e-10 stays below the tolerance, else segments
  open_loop,  // one run from the start
  segments,   // restarted from the solution now and then; the largest defect
  feedback,   // one run with a controller, by default PD on the motors on top of the torques
};

constexpr std::string_view name(VerificationMode mode) {
  switch (mode) {
    case VerificationMode::automatic:
      return "auto";
    case VerificationMode::open_loop:
      return "open_loop";
    case VerificationMode::segments:
      return "segments";
    case VerificationMode::feedback:
      return "feedback";
  }
  return "auto";
}

struct VerificationOptions {
  double tolerance = 1e-3;        // m, and rad for outputs that are angles
  double force_tolerance = 1e-1;  // N, and N m
  VerificationMode mode = VerificationMode::automatic;
  Hold torque = Hold::linear;
  // Of mode feedback; PD on the motors when left out. In other modes the torques alone.
  std::optional<ControllerOptions> controller;
  SimulationOptions simulation = {};
};

VerificationOptions read_verification(const Node& node);

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
