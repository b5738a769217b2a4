#include "tauflex/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/problem/find_outputs.hpp"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

bool has_length_output(const Record& record) {
  return find_outputs(record.robot, record.job.task).has(Quantity::length);
}

std::string error_name(const Record& record) {
  const Verification& proof = *record.verification;
  return proof.max_tool_error_m || proof.max_orientation_error_rad || !proof.max_force_error_N
             ? "tool error"
             : "force error";
}

std::string drive_unit(const Record& record, int drive) {
  return record.robot.actuation().drives[drive].motor_turns ? "N m" : "N";
}

Peak peak(const Vector& t, const Matrix& u, int drive) {
  Peak largest;
  if (drive >= u.rows()) return largest;
  for (Eigen::Index i = 0; i < std::min(u.cols(), t.size()); ++i)
    if (std::abs(u(drive, i)) > std::abs(largest.value)) largest = {t[i], u(drive, i)};
  return largest;
}

Peak motor_peak(const Record& record, int drive) {
  if (record.verification && record.verification->commanded)
    return peak(record.verification->commanded->t, record.verification->commanded->u, drive);
  if (record.verification && record.verification->sent.hold == Hold::exact)
    return peak(record.verification->sent.t, record.verification->sent.u, drive);
  return peak(record.solution.t, record.solution.u, drive);
}

std::string limit_name(const LimitMargin& m) {
  const char* what = m.kind == LimitKind::torque        ? "torque of "
                     : m.kind == LimitKind::torque_rate ? "torque rate of "
                     : m.kind == LimitKind::speed       ? "speed of "
                                                        : "range of ";
  return what + m.of;
}

std::string limit_value(const LimitMargin& m) {
  const bool ranged = m.kind == LimitKind::range;
  return fmt::format("{} {} {} {} at {} s, {} % {}{}",
                     number(ranged ? m.value : std::abs(m.value), 5), ranged ? "towards" : "of",
                     number(m.limit, 5), m.unit, number(m.t), number(100 * std::abs(m.margin), 3),
                     m.margin < 0 ? "too much" : "left", doubt_about(m));
}

namespace {

// " at 7.96 Hz, decays in 1.6 s"
std::string mode_words(const RingingMode& mode) {
  const double decay = mode.decay_time();
  return (mode.frequency() > 0 ? fmt::format(" at {} Hz, ", number(mode.frequency(), 3)) : ", ") +
         (std::isinf(decay) ? "never decays"
          : decay < 0       ? fmt::format("grows e-fold in {} s", number(-decay, 2))
                            : fmt::format("decays to 1/e in {} s", number(decay, 2)));
}

bool rings(const Record& record) {
  return record.ringing && record.ringing->status == Status::solved;
}

}  // namespace

std::string internal_ringing_text(const Record& record) {
  if (!rings(record) || record.ringing->internal.empty()) return "";
  const Ringing& r = *record.ringing;
  Eigen::Index joint = 0;  // of the links: rotors follow them
  const double most = r.q.head(record.robot.tree_nv()).maxCoeff(&joint);
  const int coordinate = record.robot.coordinates().of_velocity[static_cast<int>(joint)];
  const bool angle = coordinate < 0 || record.robot.coordinates().is_angle[coordinate];
  return record.robot.coordinates().velocity_names[joint] + " " +
         size_text(most, angle ? Quantity::angle : Quantity::length) +
         mode_words(r.internal.front());
}

std::string holding_text(const Record& record) {
  if (!rings(record) || record.ringing->internal.empty()) return "";
  constexpr Eigen::Index most = 8;
  const Vector& u = record.ringing->u;
  std::string text;
  for (Eigen::Index d = 0; d < std::min(u.size(), most); ++d)
    text += fmt::format("{}{} ±{} {}", d ? ", " : "", record.robot.actuation().names[d],
                        number(u[d], 3), drive_unit(record, static_cast<int>(d)));
  return u.size() > most ? text + fmt::format(", {} more", u.size() - most) : text;
}

std::string locked_ringing_text(const Record& record) {
  if (!rings(record) || record.ringing->locked.empty()) return "";
  const Ringing& r = *record.ringing;
  const Outputs outputs = find_outputs(record.robot, record.job.task);
  const Quantity shown = outputs.has(Quantity::length) ? Quantity::length : Quantity::angle;
  double size = 0;
  for (int i = 0; i < outputs.count(); ++i)
    if (outputs.rows[i].quantity == shown) size = std::hypot(size, r.y[i]);
  const auto swings = std::max_element(
      r.locked.begin(), r.locked.end(),
      [](const RingingMode& a, const RingingMode& b) { return a.y.norm() < b.y.norm(); });
  return size_text(size, shown) + mode_words(*swings);
}

std::string hold_text(const Record& record) {
  const Verification& proof = *record.verification;
  if (proof.commanded && proof.commanded->hold == Hold::held && record.job.controller)
    return fmt::format("commands held for {} ms", number(1e3 * record.job.controller->sample));
  if (proof.sent.sampled) {
    const ControllerOptions& controller = *record.job.controller;
    return fmt::format("torque {} {} ms ({})",
                       proof.torque == Hold::held ? "held for" : "linear over",
                       number(1e3 * controller.sample), name(controller.torques));
  }
  switch (proof.torque) {
    case Hold::exact:
      return "torque exact at all times";
    case Hold::smooth:
      return "torque smooth through the samples";
    case Hold::linear:
      return "torque linear between samples";
    case Hold::held:
      return "torque held between samples";
  }
  return "";
}

std::string mode_text(const Verification& proof) {
  switch (proof.mode) {
    case VerificationMode::automatic:
    case VerificationMode::open_loop:
      return "open-loop forward simulation";
    case VerificationMode::segments:
      return fmt::format("forward simulation in {} segments", proof.segments);
    case VerificationMode::feedback:
      return "forward simulation with " + proof.controller;
  }
  return "";
}

std::string times_text(double growth, int digits) {
  constexpr double most = 1e12;  // beyond it nothing is left of where the run began
  return growth < most ? number(growth, digits) + " times" : "more than 1e12 times";
}

std::string phase_text(const Diagnosis& diagnosis) {
  if (diagnosis.flat) return "no internal dynamics";
  return diagnosis.minimum_phase ? "minimum phase" : "not minimum phase";
}

namespace {

std::string status_text(Status status) {
  std::string text(name(status));
  for (char& c : text)
    if (c == '_') c = ' ';
  return text;
}

}  // namespace

std::string errors_text(const Record& record) {
  const Verification& proof = *record.verification;
  const OutputErrors tolerance = proof.tolerance;
  std::string text;
  if (proof.max_tool_error_m)
    text = error_text(*proof.max_tool_error_m, tolerance.length.value_or(0), Quantity::length);
  if (proof.max_orientation_error_rad)
    text +=
        (text.empty() ? "" : " and ") +
        error_text(*proof.max_orientation_error_rad, tolerance.angle.value_or(0), Quantity::angle);
  if (proof.max_force_error_N)
    text += (text.empty() ? "" : " and ") + number(*proof.max_force_error_N, 2) + " N";
  return text;
}

namespace {

std::string sizes_text(const OutputErrors& sizes) {
  std::string text;
  const auto add = [&](const std::string& size) { text += (text.empty() ? "" : " and ") + size; };
  if (sizes.length) add(size_text(*sizes.length, Quantity::length));
  if (sizes.angle) add(size_text(*sizes.angle, Quantity::angle));
  if (sizes.force) add(number(*sizes.force, 2) + " N");
  return text;
}

}  // namespace

std::string tolerance_text(const Record& record) {
  return sizes_text(record.verification->tolerance);
}

std::string standing_still_text(const Record& record) {
  return sizes_text(record.verification->standing_still);
}

std::string rigid_errors_text(const Record& record) {
  return record.rigid && record.rigid->run ? sizes_text(record.rigid->run->errors()) : "";
}

std::string finer_errors_text(const Record& record) {
  return record.finer && record.finer->run ? sizes_text(record.finer->run->errors()) : "";
}

std::string plant_text(const Record& record) {
  const auto& differences = record.job.plant_differences;
  return differences.empty() ? "" : "another plant: " + join(differences);
}

std::string limits_verdict(const Record& record) {
  const std::vector<LimitMargin>& margins = record.limits;
  if (margins.empty()) return "";
  const LimitMargin& closest = *closest_limit(margins);
  if (closest.margin >= 0) return "limits kept";
  const auto exceeded = std::count_if(margins.begin(), margins.end(),
                                      [](const LimitMargin& m) { return m.margin < 0; });
  return fmt::format("limits: {} exceeded by {} %{}", limit_name(closest),
                     number(-100 * closest.margin, 3),
                     exceeded > 1 ? fmt::format(" and {} more", exceeded - 1) : "");
}

namespace {

// The proof ended and has an error to show.
Verdict measured_verdict(const Record& record) {
  const Verification& proof = *record.verification;
  const std::string article = proof.mode == VerificationMode::open_loop ? "an " : "a ";
  std::string how =
      article + mode_text(proof) + " with " + std::string(name(proof.torque)) + " torque";
  if (!record.job.plant_differences.empty()) how += ", on " + plant_text(record);
  const std::string where = record.job.plant_differences.empty() ? "" : " on another plant";
  std::string what = error_name(record) + " " + errors_text(record);
  what[0] = static_cast<char>(std::toupper(what[0]));
  const std::string still = standing_still_text(record);
  const std::string scored =
      still.empty() ? "" : fmt::format(" Standing still would have scored {}.", still);
  if (above_tolerance(proof.errors(), proof.tolerance))
    return {Outcome::missed, "missed" + where, what,
            fmt::format("Above the tolerance of {}: shown by {}.{}", tolerance_text(record), how,
                        scored)};
  if (!proof.covered.is_whole())
    return {
        Outcome::partial, "not proved", what,
        fmt::format("Within the tolerance of {} from t = {} to {} s, by {}. That is {} % of the "
                    "task; nothing is known about the rest.",
                    tolerance_text(record), number(proof.covered.from), number(proof.covered.to),
                    how, number(100 * proof.covered.share, 3))};
  if (!proof.doubt.empty()) return {Outcome::missed, "not proved" + where, what, proof.doubt};
  if (proof.proves_standing_still())
    return {
        Outcome::proved, "within the tolerance" + where + ", as standing still would be", what,
        fmt::format("Tolerance {}: shown by {}.{} A tolerance below that would prove the motion.",
                    tolerance_text(record), how, scored)};
  return {Outcome::proved, "proved" + where, what,
          fmt::format("Tolerance {}: proved by {}.{}", tolerance_text(record), how, scored)};
}

}  // namespace

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
      return "proved";
    case Outcome::missed:
      return "missed";
    case Outcome::partial:
      return "partial";
    case Outcome::failed:
      return "failed";
    case Outcome::not_verified:
      return "not_verified";
  }
  return "failed";
}

Verdict verdict(const Record& record) {
  const Solution& solution = record.solution;
  if (solution.status != Status::solved)
    return {Outcome::failed, status_text(solution.status), "No torques for the whole path",
            solution.message};
  if (!record.verification)
    return {Outcome::not_verified, "not verified", "Torques computed, not verified",
            "No forward simulation has been run with these torques; tauflex run does it."};
  const Verification& proof = *record.verification;
  if (proof.status == Status::solved || proof.status == Status::missed)
    return measured_verdict(record);
  return {Outcome::failed, status_text(proof.status), "Torques computed, the proof ended early",
          proof.message};
}

}  // namespace tauflex
