#include "tauflex/report/verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/report/plain_text.hpp"

namespace tauflex {

bool has_length_output(const Record& record) {
  for (const auto& output : record.job.task.outputs)
    if (!find_output(record.robot, output, record.job.task.where).is_angle) return true;
  return false;
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

std::string hold_text(Hold hold) {
  switch (hold) {
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
      return "forward simulation with feedback on the rotors";
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
  return text;
}

std::string tolerance_text(const Record& record) {
  const Verification& proof = *record.verification;
  const double tolerance = record.job.verification.tolerance;
  std::string text;
  if (proof.max_tool_error_m) text = size_text(tolerance, Quantity::length);
  if (proof.max_orientation_error_rad)
    text += (text.empty() ? "" : " and ") + size_text(tolerance, Quantity::angle);
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
  switch (proof.status) {
    case Status::solved:
      return {Outcome::proved, "proved", "Tool error " + errors_text(record),
              fmt::format("Tolerance {}: proved by {}.", tolerance_text(record), how)};
    case Status::missed:
      return {Outcome::missed, "missed", "Tool error " + errors_text(record),
              fmt::format("Above the tolerance of {}: shown by {}.", tolerance_text(record), how)};
    default:
      return {Outcome::failed, status_text(proof.status), "Torques computed, the proof ended early",
              proof.message};
  }
}

}  // namespace tauflex
