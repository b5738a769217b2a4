#include "tauflex/jobs/verification_options.hpp"

#include "tauflex/base/read_fields.hpp"

namespace tauflex {

std::vector<Field> VerificationOptions::fields(ControllerOptions& feedback, bool& has_feedback) {
  using namespace describe;
  return {number("tolerance", tolerance, above(0), "m", "and rad for outputs that are angles")
              .if_left_out("1 % of what standing still would err, at most 0.001"),
          number("force_tolerance", force_tolerance, above(0), "N", "and N m")
              .if_left_out("1 % of the largest force, at most 0.1"),
          choice("mode", mode,
                 {VerificationMode::automatic, VerificationMode::open_loop,
                  VerificationMode::segments, VerificationMode::feedback},
                 "one run, restarts from the solution, or a run with a controller; auto: one run "
                 "while the growth of errors allows it"),
          choice("torque", torque, {Hold::smooth, Hold::exact, Hold::linear, Hold::held},
                 "between samples"),
          choice("limits", limits, {LimitRule::report, LimitRule::obey},
                 "exceeded limits of drives and joints are reported, or end the program with 6"),
          group("feedback", gain_fields(feedback), "gains of mode feedback", &has_feedback),
          read_elsewhere("plant",
                         "dotted keys of the robot and what they are on the plant, such as "
                         "links.hand.mass: 210"),
          group("simulation", simulation.fields(), "tolerances of the integrator")};
}

void VerificationOptions::check() const {
  VerificationOptions copy = *this;
  ControllerOptions none;
  bool has_feedback = false;
  check_fields("verification", copy.fields(none, has_feedback));
  if (controller) controller->check();
}

VerificationOptions read_verification(const Node& node) {
  VerificationOptions options;
  ControllerOptions feedback;
  bool has_feedback = false;
  read_fields(node, options.fields(feedback, has_feedback));
  if (has_feedback) feedback.where = node.at("feedback").where() + ": verification.feedback";
  if (has_feedback) options.controller = feedback;
  return options;
}

}  // namespace tauflex
