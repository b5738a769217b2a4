#include "tauflex/report/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

// Conjugate pairs as one: "-4.2 ± 58i".
std::string zeros_text(const Diagnosis& diagnosis) {
  constexpr size_t most = 12;
  std::vector<std::string> words;
  for (const auto& zero : diagnosis.zeros) {
    if (zero.imag() < 0) continue;  // its conjugate says it
    words.push_back(zero.imag() == 0
                        ? number(zero.real())
                        : fmt::format("{} ± {}i", number(zero.real()), number(zero.imag())));
  }
  if (words.empty()) return "none";
  const size_t more = words.size() > most ? words.size() - most : 0;
  words.resize(words.size() - more);
  return join(words) + (more ? fmt::format(" and {} more", more) : "") + " per second";
}

FactGroup robot_facts(const Record& record) {
  const Robot& robot = record.robot;
  const std::vector<std::string>& links = robot.link_names();
  FactGroup group{"Robot", {}};
  group.facts = {
      {"Links", fmt::format("{}: {}", links.size(), join(links))},
      {"Drives", fmt::format("{} ({} elastic): {}", robot.drives().size(),
                             robot.elastic_drives().size(), join(robot.drive_names()))},
      {"Degrees of freedom",
       fmt::format("{}: {}, {}", robot.nv(), counted(static_cast<size_t>(robot.tree_nv()), "joint"),
                   counted(static_cast<size_t>(robot.rotors()), "rotor"))}};
  if (robot.constraint_count() > 0) {
    std::vector<std::string> rows;
    for (const ConstraintRow& row : robot.constraints()) rows.push_back(row.name);
    group.facts.push_back(
        {"Constraints", fmt::format("{}: {}", counted(rows.size(), "row"), join(rows))});
  }
  if (!robot.redundant_constraints().empty())
    group.facts.push_back({"Redundant rows", join(robot.redundant_constraints())});
  if (robot.is_linearized()) group.facts.push_back({"Dynamics", "linearised at the start"});
  return group;
}

FactGroup task_facts(const Record& record) {
  const Task& task = record.job.task;
  FactGroup group{"Task", {{"Outputs", task.outputs.empty() ? "none" : join(task.outputs)}}};
  if (task.path) group.facts.push_back({"Path", number(task.path->duration()) + " s"});
  if (task.hold_before > 0 || task.hold_after > 0)
    group.facts.push_back({"Hold", fmt::format("{} s before, {} s after", number(task.hold_before),
                                               number(task.hold_after))});
  if (task.payload)
    group.facts.push_back({"Payload", fmt::format("{} kg on {}", number(task.payload->inertia.mass),
                                                  task.payload->link)});
  return group;
}

FactGroup problem_facts(const Diagnosis& d) {
  FactGroup group{"Problem", {}};
  if (d.status != Status::solved) {
    group.facts.push_back({"Diagnosis", d.message});
    return group;
  }
  group.facts = {
      {"Differentiation index", fmt::format("{}", d.differential_index)},
      {"Required smoothness",
       fmt::format("path {} times differentiable, for a continuous torque", d.required_smoothness)},
      {"Zeros at the start", zeros_text(d)},
      {"Minimum phase", d.flat            ? "yes, no internal dynamics"
                        : d.minimum_phase ? "yes"
                                          : fmt::format("no, a zero at {} per second",
                                                        number(d.largest_zero_real_part))}};
  if (d.index.available) {
    const IndexAtPoint& first = d.index.points.front();
    group.facts.push_back(
        {"Equations that are solved",
         fmt::format("index {}, strangeness index {}, {} algebraic and {} differential variables",
                     first.differential_index, first.strangeness_index, first.algebraic_count,
                     first.differential_count)});
    if (first.differential_count > 0)
      group.facts.push_back({"Differential variables", join(d.index.differential)});
  }
  for (const std::string& sentence : d.undamped) group.facts.push_back({"Undamped", sentence});
  for (Eigen::Index k = 0; k < d.torque_null_space.cols(); ++k) {
    std::vector<std::string> parts;
    for (const double share : d.torque_null_space.col(k)) parts.push_back(number(share, 3));
    group.facts.push_back({"Torques without effect on the motion, at the start", join(parts)});
  }
  return group;
}

FactGroup solution_facts(const Record& record) {
  const Solution& s = record.solution;
  FactGroup group{"Torques", {{"Method", s.method}}};
  if (s.order > 0) group.facts.push_back({"Order", fmt::format("{}", s.order)});
  group.facts.push_back({"Step", number(1e3 * s.step) + " ms"});
  group.facts.push_back({"Steps", fmt::format("{}", s.steps)});
  if (s.newton_iterations > 0) {
    group.facts.push_back({"Newton iterations", fmt::format("{}", s.newton_iterations)});
    group.facts.push_back(
        {"Largest constraint residual",
         number(s.max_constraint_residual, 2) + (has_length_output(record) ? " m" : " rad")});
  }
  if (s.torque_error_estimate > 0)
    group.facts.push_back({"Error of the torques, measured by the method",
                           number(s.torque_error_estimate, 2) + " N m or N"});
  if (record.regularity) {
    const MotionRegularity::Least& least = record.regularity->outputs;
    group.facts.push_back({"Closest to a singular pose",
                           fmt::format("{} (0 is singular) at {} s: {}", number(least.value, 3),
                                       number(least.t), pose_text(record.robot, least.q))});
  }
  if (s.solve_seconds > 0)
    group.facts.push_back({"Time to solve", number(s.solve_seconds, 2) + " s"});
  for (size_t d = 0; d < record.robot.drives().size(); ++d) {
    const Peak p = peak(s, static_cast<int>(d));
    group.facts.push_back({"Peak of " + record.robot.drive_names()[d],
                           fmt::format("{} {} at {} s", number(p.value, 6),
                                       drive_unit(record, static_cast<int>(d)), number(p.t))});
  }
  return group;
}

// One row per limit, with the time at which it is closest.
FactGroup limit_facts(const Record& record) {
  FactGroup group{"Limits", {}};
  for (const LimitMargin& margin : limit_margins(record.robot, record.solution)) {
    std::string name = limit_name(margin);
    name[0] = static_cast<char>(std::toupper(name[0]));
    group.facts.push_back({name, limit_value(margin)});
  }
  return group;
}

// What still moves when the path has ended, linearised around the rest that follows.
FactGroup ringing_facts(const Record& record) {
  FactGroup group{"After the path", {}};
  if (!record.ringing) return group;
  if (record.ringing->status != Status::solved) {
    group.facts.push_back({"Ringing", "not known: " + record.ringing->message});
    return group;
  }
  const std::string internal = internal_ringing_text(record), locked = locked_ringing_text(record);
  group.facts.push_back(
      {"Internal motion", internal.empty() ? "none: the outputs determine every joint" : internal});
  if (const auto& along = record.internal)
    group.facts.push_back(
        {"Internal state along the motion, when disturbed",
         fmt::format("grows {} times at most, at {} s; {} of {} directions grow, {} decay",
                     number(along->largest, 3), number(along->t), along->growing,
                     along->growing + along->marginal + along->decaying, along->decaying)});
  if (!internal.empty())
    group.facts.push_back({"Torque to hold the tool, on top of rest", holding_text(record)});
  if (!locked.empty()) group.facts.push_back({"Tool with motors locked, linearised", locked});
  return group;
}

FactGroup proof_facts(const Record& record) {
  FactGroup group{"Proof", {}};
  if (!record.verification) {
    group.facts.push_back({"Mode", "none: not verified"});
    return group;
  }
  const Verification& proof = *record.verification;
  if (proof.max_tool_error_m)
    group.facts.push_back(
        {"Tool error, largest", size_text(*proof.max_tool_error_m, Quantity::length, 4)});
  if (proof.rms_tool_error_m)
    group.facts.push_back(
        {"Tool error, rms", size_text(*proof.rms_tool_error_m, Quantity::length, 4)});
  if (proof.max_orientation_error_rad)
    group.facts.push_back(
        {"Angle error, largest", size_text(*proof.max_orientation_error_rad, Quantity::angle, 4)});
  if (proof.max_force_error_N)
    group.facts.push_back({"Force error, largest", number(*proof.max_force_error_N, 3) + " N"});
  if (record.robot.constraint_count() > 0)
    group.facts.push_back(
        {"Constraint violation, largest", number(proof.max_constraint_violation, 2)});
  group.facts.insert(
      group.facts.end(),
      {{"Tolerance", tolerance_text(record)},
       {"Mode", mode_text(proof)},
       {"Torque hold", hold_text(record)},
       {"Growth of errors, open loop", number(proof.growth, 3) + " times"},
       {"Integrator", fmt::format("{}, {} steps", proof.integrator, proof.integrator_steps)},
       {"Energy balance error",
        number(proof.energy_balance_error, 2) + " of the largest energy that moved"}});
  return group;
}

}  // namespace

std::vector<FactGroup> facts(const Record& record) {
  std::vector<FactGroup> groups = {robot_facts(record), task_facts(record),
                                   problem_facts(record.diagnosis)};
  if (!record.has_motion()) return groups;
  groups.push_back(solution_facts(record));
  if (FactGroup limits = limit_facts(record); !limits.facts.empty())
    groups.push_back(std::move(limits));
  if (FactGroup ringing = ringing_facts(record); !ringing.facts.empty())
    groups.push_back(std::move(ringing));
  groups.push_back(proof_facts(record));
  return groups;
}

namespace {

std::string shown(const Record& record) {
  const Verification& proof = *record.verification;
  switch (proof.mode) {
    case VerificationMode::automatic:
    case VerificationMode::open_loop:
      return fmt::format(
          "Fed with these torques and nothing else, the simulated robot left its start pose and "
          "its "
          "tool stayed within {} of the path.",
          errors_text(record));
    case VerificationMode::segments:
      return fmt::format(
          "Without feedback, small errors would grow {} times during this motion, so the "
          "simulation "
          "was restarted from the solution {} times. Fed with these torques and nothing else, the "
          "tool stayed within {} of the path in every segment.",
          number(proof.growth, 2), proof.segments - 1, errors_text(record));
    case VerificationMode::feedback:
      return fmt::format(
          "With {}, the simulated robot's tool stayed within {} of the path. The torques alone are "
          "not proved.",
          proof.controller, errors_text(record));
  }
  return "";
}

std::string hold_sentence(const Record& record) {
  const bool sampled = record.verification->sent.sampled;
  const std::string step =
      number(1e3 * (sampled ? record.job.controller->sample : record.solution.step));
  switch (record.verification->torque) {
    case Hold::exact:
      return "The result is for the torque at all times, as the method gives it. A controller "
             "sends "
             "samples, and needs its own proof (verification: {torque: linear}, or held).";
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
          "as "
          "a sampled controller sends it.",
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
  else
    paragraphs.push_back(shown(record));
  paragraphs.push_back(hold_sentence(record));
  std::string limits =
      "The simulation shares the robot model and the torque samples with the solver, but runs "
      "forward "
      "in time with another algorithm and another integrator, so it finds errors of the solver. It "
      "cannot find errors of the model.";
  if (proof.mode != VerificationMode::feedback && proof.growth > 10)
    limits += fmt::format(
        " A real robot differs from its model: without feedback its error would grow {} times "
        "during "
        "this motion, so send these torques as a feedforward under a controller.",
        number(proof.growth, 2));
  paragraphs.push_back(limits);
  return paragraphs;
}

}  // namespace tauflex
