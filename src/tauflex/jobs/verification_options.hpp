// How the proof is to be made, key `verification` of a job.
#pragma once

#include <optional>
#include <string_view>

#include "tauflex/base/node.hpp"
#include "tauflex/jobs/control.hpp"
#include "tauflex/plant/simulate.hpp"

namespace tauflex {

enum class VerificationMode {
  // open_loop while growth x 1e-10 stays below the tolerance, else segments
  automatic,
  // One run from the start.
  open_loop,
  // Several runs, each restarted from the solution; the largest error counts.
  segments,
  // One run with a controller, by default PD on the motors on top of the torques.
  feedback,
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

// What exceeded limits of drives and joints are.
enum class LimitRule {
  // Reported.
  report,
  // A failure, as an error above the tolerance is.
  obey,
};

constexpr std::string_view name(LimitRule rule) {
  return rule == LimitRule::report ? "report" : "obey";
}

struct VerificationOptions {
  // m, and rad for outputs that are angles; none: from the size of the motion, at most 1e-3
  std::optional<double> tolerance;
  // N, and N m; none: from the size of the forces, at most 0.1
  std::optional<double> force_tolerance;
  VerificationMode mode = VerificationMode::automatic;
  Hold torque = Hold::linear;
  LimitRule limits = LimitRule::report;
  // Of mode feedback; PD on the motors when left out. In other modes the torques alone.
  std::optional<ControllerOptions> controller;
  SimulationOptions simulation = {};
  // Of small errors, which an automatic mode needs and reports tell. Not a key of job files.
  bool measure_growth = true;

  // Keys of `verification` in a job file. Its `feedback` are the gains of `controller`.
  std::vector<Field> fields(ControllerOptions& feedback, bool& has_feedback);
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

VerificationOptions read_verification(const Node& node);

}  // namespace tauflex
