#include "tauflex/jobs/verification_options.hpp"

namespace tauflex {

VerificationOptions read_verification(const Node& node) {
  node.allow({"tolerance", "force_tolerance", "mode", "torque", "feedback", "plant", "simulation"});
  VerificationOptions options;
  if (const auto tolerance = node.find("tolerance")) options.tolerance = tolerance->positive();
  if (const auto tolerance = node.find("force_tolerance"))
    options.force_tolerance = tolerance->positive();
  if (const auto mode = node.find("mode")) {
    bool found = false;
    for (const auto known : {VerificationMode::automatic, VerificationMode::open_loop,
                             VerificationMode::segments, VerificationMode::feedback})
      if (mode->text() == name(known)) {
        options.mode = known;
        found = true;
      }
    if (!found)
      mode->fail("expected auto, open_loop, segments or feedback, got '" + mode->text() + "'");
  }
  if (const auto torque = node.find("torque")) {
    bool found = false;
    for (const auto known : {Hold::smooth, Hold::exact, Hold::linear, Hold::held})
      if (torque->text() == name(known)) {
        options.torque = known;
        found = true;
      }
    if (!found)
      torque->fail("expected smooth, exact, linear or held, got '" + torque->text() + "'");
  }
  if (const auto feedback = node.find("feedback")) {
    feedback->allow({"kp", "kd"});
    options.controller.emplace();  // of mode feedback
    if (const auto kp = feedback->find("kp")) options.controller->kp = kp->numbers();
    if (const auto kd = feedback->find("kd")) options.controller->kd = kd->numbers();
  }
  if (const auto simulation = node.find("simulation")) {
    simulation->allow({"relative_tolerance", "absolute_tolerance"});
    if (const auto r = simulation->find("relative_tolerance"))
      options.simulation.relative_tolerance = r->positive();
    if (const auto a = simulation->find("absolute_tolerance"))
      options.simulation.absolute_tolerance = a->positive();
  }
  return options;
}

}  // namespace tauflex
