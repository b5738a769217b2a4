#include "tauflex/report/meaning.hpp"

#include <fmt/format.h>

#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

std::string shown(const Record& record) {
  const Verification& proof = *record.verification;
  switch (proof.mode) {
    case VerificationMode::automatic:
    case VerificationMode::open_loop:
      return fmt::format(
          "Fed with these torques and nothing else, the simulated robot left its start pose and "
          "its tool stayed within {} of the path.",
          errors_text(record));
    case VerificationMode::segments:
      return fmt::format(
          "Without feedback, small errors would grow {} during this motion, so the simulation was "
          "restarted from the solution {} times. Fed with these torques and nothing else, the tool "
          "stayed within {} of the path in every segment.",
          times_text(proof.growth()), proof.segments - 1, errors_text(record));
    case VerificationMode::feedback:
      return fmt::format(
          "With {}, the simulated robot's tool stayed within {} of the path. The torques alone are "
          "not proved.",
          proof.controller, errors_text(record));
  }
  return "";
}

std::string hold_sentence(const Record& record) {
  const auto& commanded = record.verification->commanded;
  if (commanded && commanded->hold == Hold::held && record.job.controller)
    return fmt::format("The controller sends a torque every {} ms and holds it until the next one.",
                       number(1e3 * record.job.controller->sample));
  const bool sampled = record.verification->sent.sampled;
  const std::string step =
      number(1e3 * (sampled ? record.job.controller->sample : record.solution.step));
  switch (record.verification->torque) {
    case Hold::exact:
      return "The result is for the torque at all times, as the method gives it. A controller "
             "sends samples, and needs its own proof (verification: {torque: linear}, or held).";
    case Hold::smooth:
      return fmt::format(
          "The result is for a torque that runs smoothly through the samples, {} ms apart. A "
          "controller that holds each sample, or draws straight lines between them, needs its own "
          "proof (verification: {{torque: held}}, or linear).",
          step);
    case Hold::linear:
      return fmt::format(
          "The result is for a torque that runs straight from sample to sample, {} ms apart. A "
          "controller that holds each sample until the next one needs its own proof "
          "(verification: {{torque: held}}).",
          step);
    case Hold::held:
      return fmt::format(
          "The result is for a torque that is held from each sample to the next one, {} ms apart, "
          "as a sampled controller sends it.",
          step);
  }
  return "";
}

}  // namespace

std::vector<std::string> meaning(const Record& record) {
  const Verdict v = verdict(record);
  if (!record.has_motion())
    return {"The question has no answer as it is posed, so there are no torques."};
  if (record.solution.status != Status::solved)
    return {fmt::format(
        "The solver stopped before the end of the path. What is shown ends at t = {} "
        "s; these torques do not bring the tool along the whole path, and nothing "
        "has been proved about them.",
        record.solution.t.size() ? number(record.solution.t[record.solution.t.size() - 1]) : "0")};
  if (!record.verification)
    return {
        "The torques solve the equations of motion together with the path, but no forward "
        "simulation has been fed with them. How well the tool follows is not known until then."};
  const Verification& proof = *record.verification;
  std::vector<std::string> paragraphs;
  if (v.outcome == Outcome::failed)
    paragraphs.push_back(
        "The torques were computed, but the forward simulation did not reach the end "
        "of the motion, so they are not proved. What is shown ends where it stopped.");
  else if (v.outcome == Outcome::missed)
    paragraphs.push_back(fmt::format(
        "The torques were computed, but a simulated robot that is fed with them leaves the path by "
        "up to {}, more than the {} asked for. A smaller step, a smoother torque hold or a slower "
        "motion bring it closer. Where the job gives the plant other parameters than the robot, "
        "that difference is part of the error.",
        errors_text(record), tolerance_text(record)));
  else if (v.outcome == Outcome::partial)
    paragraphs.push_back(fmt::format(
        "The torques are for t = {} to {} s, {} % of the task. What is shown is that part; nothing "
        "is known about the rest, so the motion is not proved.",
        number(proof.covered.from), number(proof.covered.to),
        number(100 * proof.covered.share, 3)));
  else
    paragraphs.push_back(shown(record));
  if (v.outcome != Outcome::failed && proof.covered.is_whole() && proof.proves_standing_still())
    paragraphs.push_back(fmt::format(
        "The tolerance of {} is not below {}, which a robot would have scored that stays at its "
        "start. It shows that the tool stays near its path, not that it follows it.",
        tolerance_text(record), standing_still_text(record)));
  if (!record.job.plant_differences.empty())
    paragraphs.push_back(fmt::format("The simulated robot is {}.", plant_text(record)));
  paragraphs.push_back(hold_sentence(record));
  std::string limits =
      "The simulation shares the robot model and the torque samples with the solver, but runs "
      "forward in time with another algorithm and another integrator, so it finds errors of the "
      "solver. It cannot find errors of the model.";
  if (proof.mode != VerificationMode::feedback && proof.growth() > 10)
    limits += fmt::format(
        " A real robot differs from its model: without feedback its error would grow {} during "
        "this motion, so send these torques as a feedforward under a controller.",
        times_text(proof.growth()));
  paragraphs.push_back(limits);
  return paragraphs;
}

}  // namespace tauflex
