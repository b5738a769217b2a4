#include "tauflex/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"
#include "tauflex/results/stated_errors.hpp"

namespace tauflex {

namespace {

constexpr size_t most_drives = 8;  // on the line of the torques

std::string line(const char* what, const std::string& text) {
  return fmt::format("  {:<10}{}\n", what, printable(text));
}

// "tool error 0.012 mm max, 0.004 mm rms (tolerance 1 mm): proved"
std::string error_sentence(const Record& record) {
  const Verification& proof = *record.verification;
  std::string rms;
  if (proof.rms_tool_error_m) {
    rms = error_text(*proof.rms_tool_error_m, proof.tolerance.length.value_or(0), Quantity::length);
  } else if (proof.max_orientation_error_rad && proof.tool_error.size() > 0) {
    const auto n = static_cast<double>(proof.tool_error.size());
    rms = error_text(proof.tool_error.norm() / std::sqrt(n), proof.tolerance.angle.value_or(0),
                     Quantity::angle);
  }
  if (rms.starts_with("<") && errors_text(record).starts_with("<")) rms.clear();
  const Verdict v = verdict(record);
  const std::string share =
      v.outcome == Outcome::partial
          ? fmt::format(" on {} % of the path", number(100 * proof.covered.share, 3))
          : "";
  const std::string finer = finer_errors_text(record);
  return fmt::format("{} {} max{}{}{} (tolerance {}): {}{}{}", error_name(record),
                     errors_text(record), rms.empty() ? "" : ", " + rms, rms.empty() ? "" : " rms",
                     share, tolerance_text(record), v.word,
                     proof.doubt.empty() ? "" : ": " + proof.doubt,
                     finer.empty() ? "" : fmt::format("; {} on a finer mesh", finer));
}

// "upper 2 of 6 (3e-05 of its inertia forces left out)"
std::string modes_line(const std::vector<KeptModes>& beams) {
  std::string text;
  for (const KeptModes& beam : beams)
    text += fmt::format(
        "{}{} keeps {} of {}{}", text.empty() ? "" : "; ", beam.link, beam.kept, beam.all,
        beam.kept == beam.all ? ""
                              : fmt::format(", those from {} Hz on are left out: {} of its inertia "
                                            "forces at the {} Hz of the path",
                                            number(beam.left_out_from / (2 * M_PI), 3),
                                            beam.missed >= 1 ? "all" : number(beam.missed, 1),
                                            number(beam.path_frequency / (2 * M_PI), 2)));
  return text;
}

std::string first_line(const Record& record) {
  const Verdict v = verdict(record);
  switch (v.outcome) {
    case Outcome::proved:
    case Outcome::missed:
    case Outcome::partial:
      return error_sentence(record);
    case Outcome::not_verified:
      return "torques computed, not verified";
    case Outcome::failed:
      break;
  }
  return v.word + ": " + v.sentence;
}

// "with torques of the rigid robot it would be 6.3 mm"
std::string rigid_line(const Record& record) {
  if (!record.rigid || !record.verification) return "";
  if (!record.rigid->run) return "not compared: " + record.rigid->left_out;
  return "with torques of the rigid robot it would be " + rigid_errors_text(record);
}

std::string torque_line(const Record& record) {
  const auto& names = record.robot.actuation().names;
  const double negligible =
      negligible_motion(record.verification ? record.verification->tolerance : OutputErrors{});
  std::string text;
  for (size_t d = 0; d < std::min(names.size(), most_drives); ++d) {
    const int drive = static_cast<int>(d);
    text += fmt::format("{}{} {} {}", d ? ", " : "", names[d],
                        number(std::abs(motor_peak(record, drive).value), 3),
                        drive_unit(record, drive));
    for (const LimitMargin& margin : record.limits)
      if (margin.kind == LimitKind::torque && margin.of == names[d])
        text += fmt::format(" ({} % of its limit)", number(100 * (1 - margin.margin), 3));
    if (!torque_is_known(record.robot, record.solution, drive, negligible))
      text += fmt::format(" (may be off by {})", number(record.solution.torque_errors[d], 3));
  }
  if (names.empty()) return "no drives; constraints move the robot";
  if (names.size() > most_drives) text += fmt::format(", {} more", names.size() - most_drives);
  if (record.verification && record.verification->commanded)
    return text + " (peaks at the motors, with the feedback)";
  return text + (record.solution.status == Status::solved ? " (peaks at the motors)"
                                                          : " (peaks so far, at the motors)");
}

// The limit that is closest of all, and how many more are exceeded.
std::string limit_line(const std::vector<LimitMargin>& margins) {
  const auto exceeded = std::count_if(margins.begin(), margins.end(),
                                      [](const LimitMargin& m) { return m.margin < 0; });
  const LimitMargin& closest = *closest_limit(margins);
  return limit_name(closest) + " " + limit_value(closest) +
         (exceeded > 1 ? fmt::format("; {} limits exceeded", exceeded) : "");
}

// What the constraints carry, largest.
std::string force_line(const Record& record) {
  const auto& rows = record.robot.constraints();
  std::string text;
  for (size_t i = 0; i < std::min(rows.size(), most_drives); ++i)
    text += fmt::format(
        "{}{} {} {}", i ? ", " : "", rows[i].name,
        number(record.solution.lambda.row(static_cast<Eigen::Index>(i)).cwiseAbs().maxCoeff(), 3),
        rows[i].is_angle ? "N m" : "N");
  if (rows.size() > most_drives) text += fmt::format(", {} more", rows.size() - most_drives);
  return text + " (peaks)";
}

std::string method_line(const Record& record) {
  const Solution& s = record.solution;
  std::string text = s.method;
  if (s.order > 0) text += fmt::format(", order {}", s.order);
  text += fmt::format(", step {} ms, {} steps", number(1e3 * s.step), s.steps);
  if (s.solve_seconds > 0) text += fmt::format(", {} s", number(s.solve_seconds, 2));
  return text;
}

// "smallest singular-value ratio 0.31, at t = 0.2 s: upper = 0.1, fore = 0.4"
std::string pose_line(const Record& record) {
  const MotionRegularity::Least& least = record.regularity->outputs;
  const std::string text = fmt::format("smallest singular-value ratio {}, at t = {} s",
                                       number(least.value, 2), number(least.t));
  if (record.robot.tree_nq() > static_cast<int>(most_drives)) return text;
  return text + ": " + pose_text(record.robot, least.q);
}

std::string problem_line(const Diagnosis& d) {
  if (d.status != Status::solved) return d.message;
  return fmt::format("index {}, torque depends on the path's {} derivative, {}",
                     d.differential_index, ordinal(d.required_smoothness), phase_text(d));
}

}  // namespace

std::string text_summary(const Record& record, Detail detail) {
  const bool all = detail == Detail::all;
  std::string lead = record.job.name + ": " + first_line(record);
  if (const std::string limits = limits_verdict(record); !limits.empty()) lead += "; " + limits;
  std::string text = printable(lead) + "\n";
  if (!record.has_motion()) return text;
  if (const std::string rigid = rigid_line(record); !rigid.empty()) text += line("rigid", rigid);
  text += line("torque", torque_line(record));
  if (!record.limits.empty()) text += line("limits", limit_line(record.limits));
  if (!record.job.kept_modes.empty()) text += line("modes", modes_line(record.job.kept_modes));
  if (const Vector& t = record.solution.t; t[0] < 0)
    text += line("begins", fmt::format("{} s before the path", number(-t[0], 3)));
  if (record.robot.constraint_count() > 0) text += line("forces", force_line(record));
  if (const std::string internal = internal_ringing_text(record); !internal.empty())
    text += line("after", fmt::format("{}; holding takes {}", internal, holding_text(record)));
  if (record.verification) {
    const Verification& proof = *record.verification;
    const char* of_table =
        record.method
            ? ""
            : "; the table states no error of its torques, the simulated motion alone decides";
    text +=
        line("proof", proof.t.size() > 0 ? mode_text(proof) + ", " + hold_text(record) + of_table
                                         : "none, it could not begin");
    if (!record.job.plant_differences.empty()) text += line("plant", plant_text(record));
    if (all)
      text += line("growth", fmt::format("open loop, errors grow {}", times_text(proof.growth())));
  }
  if (!all) return text;
  text += line("method", method_line(record));
  if (!record.start_choice.empty()) text += line("start", record.start_choice);
  if (record.regularity) text += line("pose", pose_line(record));
  text += line("problem", problem_line(record.diagnosis));
  return text;
}

}  // namespace tauflex
