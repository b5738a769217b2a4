#include "tauflex/report/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"
#include "tauflex/results/record_limits.hpp"

namespace tauflex {

namespace {

// Conjugate pairs as one: "-4.2 ± 58i".
std::string zeros_fact(const Diagnosis& diagnosis) {
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
  const std::vector<std::string>& links = robot.tree().link_names;
  FactGroup group{"Robot", {}};
  group.facts = {
      {"Links", fmt::format("{}: {}", links.size(), join(links))},
      {"Drives", fmt::format("{} ({} elastic): {}", robot.actuation().drives.size(),
                             robot.actuation().elastic.size(), join(robot.actuation().names))},
      {"Degrees of freedom",
       fmt::format("{}: {}, {}", robot.nv(), counted(robot.tree_nv(), "joint"),
                   counted(robot.rotors(), "rotor"))}};
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
      {"Zeros at the start", zeros_fact(d)},
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
  if (record.regularity) {
    const MotionRegularity::Least& least = record.regularity->outputs;
    group.facts.push_back({"Closest to a singular pose",
                           fmt::format("{} (0 is singular) at {} s: {}", number(least.value, 3),
                                       number(least.t), pose_text(record.robot, least.q))});
  }
  if (s.solve_seconds > 0)
    group.facts.push_back({"Time to solve", number(s.solve_seconds, 2) + " s"});
  for (int d = 0; d < std::ssize(record.robot.actuation().drives); ++d) {
    const Peak p = peak(s.t, s.u, d);
    const std::string unit = drive_unit(record, d);
    const std::string error =
        s.torque_errors.size() > 0
            ? fmt::format(", error at most {} {}", number(s.torque_errors[d], 2), unit)
            : "";
    group.facts.push_back(
        {"Peak of " + record.robot.actuation().names[d],
         fmt::format("{} {} at {} s{}", number(p.value, 6), unit, number(p.t), error)});
  }
  if (record.verification && record.verification->commanded)
    for (int d = 0; d < std::ssize(record.robot.actuation().drives); ++d) {
      const Peak p = motor_peak(record, d);
      group.facts.push_back(
          {"Peak of " + record.robot.actuation().names[d] + ", with the feedback",
           fmt::format("{} {} at {} s", number(p.value, 6), drive_unit(record, d), number(p.t))});
    }
  return group;
}

// One row per limit, with the time at which it is closest.
FactGroup limit_facts(const Record& record) {
  FactGroup group{"Limits", {}};
  const std::vector<LimitMargin>& margins = record.limits;
  if (!margins.empty()) group.facts.push_back({"Of", sent_motion_text(record)});
  for (const LimitMargin& margin : margins) {
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
         fmt::format("grows {} at most, at {} s; {} of {} directions grow, {} decay",
                     times_text(along->largest, 3), number(along->t), along->growing,
                     along->growing + along->marginal + along->decaying, along->decaying)});
  if (!internal.empty())
    group.facts.push_back({"Torque to hold the tool, on top of rest", holding_text(record)});
  if (!locked.empty()) group.facts.push_back({"Tool with motors locked, linearised", locked});
  return group;
}

std::string rigid_fact(const Record& record) {
  if (!record.rigid) return "not compared: the robot has no elastic parts, or rigid: off is set";
  return record.rigid->run ? rigid_errors_text(record) : "not compared: " + record.rigid->left_out;
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
  if (proof.max_motion_error)
    group.facts.push_back({"Distance from the computed motion, largest share of a range",
                           fmt::format("{} % ({})", number(100 * proof.motion_error_share, 2),
                                       proof.motion_error_of)});
  if (record.robot.constraint_count() > 0)
    group.facts.push_back(
        {"Constraint violation, largest", number(proof.max_constraint_violation, 2)});
  group.facts.insert(
      group.facts.end(),
      {{"Tolerance", tolerance_text(record)},
       {"Standing still would score", standing_still_text(record)},
       {"Torques of the rigid robot would score", rigid_fact(record)},
       {"Plant",
        record.job.plant_differences.empty() ? "the robot of the job" : plant_text(record)},
       {"Mode", mode_text(proof)},
       {"Torque hold", hold_text(record)},
       {"Growth of errors, open loop", times_text(proof.growth(), 3)},
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

}  // namespace tauflex
