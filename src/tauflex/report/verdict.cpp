#include "tauflex/report/verdict.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "tauflex/report/plain_text.hpp"

namespace tauflex {

bool has_length_output(const Record& record) {
  for (const Output& output : find_outputs(record.robot, record.job.task))
    if (!output.is_angle && output.constraint < 0) return true;
  return false;
}

std::string error_name(const Record& record) {
  const Verification& proof = *record.verification;
  return proof.max_tool_error_m || proof.max_orientation_error_rad || !proof.max_force_error_N
             ? "tool error"
             : "force error";
}

std::string drive_unit(const Record& record, int drive) {
  const DriveLayout& layout = record.robot.drives()[static_cast<size_t>(drive)];
  return record.robot.is_angle(layout.joint_q) ? "N m" : "N";
}

Peak peak(const Solution& solution, int drive) {
  Peak largest;
  if (drive >= solution.u.rows()) return largest;
  for (Eigen::Index i = 0; i < std::min(solution.u.cols(), solution.t.size()); ++i)
    if (std::abs(solution.u(drive, i)) > std::abs(largest.value))
      largest = {solution.t[i], solution.u(drive, i)};
  return largest;
}

std::string hold_text(const Record& record) {
  const Verification& proof = *record.verification;
  if (proof.sent.sampled) {
    const ControllerOptions& controller = *record.job.controller;
    return fmt::format("torque {} {} ms ({})",
                       proof.torque == Hold::held ? "held for" : "linear over",
                       number(1e3 * controller.sample), name(controller.torques));
  }
  switch (proof.torque) {
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
  const double tolerance = record.job.verification.tolerance;
  std::string text;
  if (proof.max_tool_error_m)
    text = error_text(*proof.max_tool_error_m, tolerance, Quantity::length);
  if (proof.max_orientation_error_rad)
    text += (text.empty() ? "" : " and ") +
            error_text(*proof.max_orientation_error_rad, tolerance, Quantity::angle);
  if (proof.max_force_error_N)
    text += (text.empty() ? "" : " and ") + number(*proof.max_force_error_N, 2) + " N";
  return text;
}

std::string tolerance_text(const Record& record) {
  const Verification& proof = *record.verification;
  const double tolerance = record.job.verification.tolerance;
  std::string text;
  if (proof.max_tool_error_m) text = size_text(tolerance, Quantity::length);
  if (proof.max_orientation_error_rad)
    text += (text.empty() ? "" : " and ") + size_text(tolerance, Quantity::angle);
  if (proof.max_force_error_N)
    text +=
        (text.empty() ? "" : " and ") + number(record.job.verification.force_tolerance, 2) + " N";
  return text;
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
  const std::string article = proof.mode == VerificationMode::open_loop ? "an " : "a ";
  const std::string how =
      article + mode_text(proof) + " with " + std::string(name(proof.torque)) + " torque";
  std::string what = error_name(record) + " " + errors_text(record);
  what[0] = static_cast<char>(std::toupper(what[0]));
  switch (proof.status) {
    case Status::solved:
      return {Outcome::proved, "proved", what,
              fmt::format("Tolerance {}: proved by {}.", tolerance_text(record), how)};
    case Status::missed:
      return {Outcome::missed, "missed", what,
              fmt::format("Above the tolerance of {}: shown by {}.", tolerance_text(record), how)};
    default:
      return {Outcome::failed, status_text(proof.status), "Torques computed, the proof ended early",
              proof.message};
  }
}

}  // namespace tauflex
