#include "tauflex/report/result_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/meaning.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

std::optional<double> leading(const OutputErrors& errors) {
  return errors.length ? errors.length : errors.angle ? errors.angle : errors.force;
}

void add_error_figures(const Record& record, ResultPage& page) {
  if (!record.verification || record.verification->t.size() == 0) return;
  const Verification& proof = *record.verification;
  const std::string error = errors_text(record);
  if (error.empty()) return;
  const bool above = above_tolerance(proof.errors(), proof.tolerance).has_value();
  std::string name = error_name(record);
  name[0] = static_cast<char>(std::toupper(name[0]));
  page.figures.push_back({name, error, "tolerance " + tolerance_text(record),
                          leading(proof.errors()), above ? "bad" : "good"});
  if (!record.rigid) return;
  const std::string rigid = rigid_errors_text(record);
  page.figures.push_back({"With rigid torques", rigid.empty() ? "not compared" : rigid,
                          rigid.empty()
                              ? record.rigid->left_out
                              : "what ordinary inverse dynamics would have done to the same plant",
                          record.rigid->run ? leading(record.rigid->run->errors()) : std::nullopt,
                          rigid.empty() ? "" : "rigid"});
}

void add_limit_figure(const Record& record, ResultPage& page) {
  const auto& names = record.robot.actuation().names;
  if (const LimitMargin* closest = closest_limit(record.limits)) {
    const bool ranged = closest->kind == LimitKind::range;
    page.figures.push_back({"Closest limit",
                            ranged ? fmt::format("{} % left", number(100 * closest->margin, 3))
                                   : fmt::format("{} %", number(100 * (1 - closest->margin), 3)),
                            limit_name(*closest) + ", " + limit_value(*closest),
                            1 - closest->margin, closest->margin < 0 ? "warn" : ""});
    return;
  }
  int largest = -1;
  for (int d = 0; d < std::ssize(names); ++d)
    if (largest < 0 ||
        std::abs(motor_peak(record, d).value) > std::abs(motor_peak(record, largest).value))
      largest = d;
  if (largest < 0) return;
  const Peak p = motor_peak(record, largest);
  page.figures.push_back(
      {"Largest torque", number(std::abs(p.value), 3) + " " + drive_unit(record, largest),
       fmt::format("{} at {} s; no limits are stated", names[largest], number(p.t, 3)),
       std::abs(p.value), ""});
}

void add_job(const Job& job, ResultPage& page) {
  page.job = job.name;
  page.job_text = job.text;
  page.overrides = job.overrides;
  page.plant_differences = job.plant_differences;
  for (const auto* notes : {&job.robot.notes, &job.task.notes})
    page.notes.insert(page.notes.end(), notes->begin(), notes->end());
}

}  // namespace

ResultPage result_page(const Record& record) {
  ResultPage page;
  add_job(record.job, page);
  const Verdict v = verdict(record);
  page.outcome = outcome_name(v.outcome);
  page.word = v.word;
  page.headline = v.headline;
  page.sentence = v.sentence;
  page.limits = limits_verdict(record);
  page.limits_exceeded = limit_state(record.limits) == LimitState::exceeded;
  page.warnings = record.warnings;
  page.facts = facts(record);
  page.scene = scene(record);
  if (v.outcome == Outcome::failed)
    page.failed_at = page.scene.t.size() > 0 ? page.scene.t[page.scene.t.size() - 1] : 0;
  for (const PhaseAtPoint& point : record.diagnosis.phase)
    if (!point.zeros.empty()) page.zeros.push_back({point.t, point.zeros});
  if (!record.has_motion()) return page;
  page.meaning = meaning(record);
  add_error_figures(record, page);
  add_limit_figure(record, page);
  page.plots = plots(record);
  return page;
}

ResultPage result_page(const Job& job, const FreeRun& run) {
  ResultPage page;
  add_job(job, page);
  const Simulation& s = run.simulation;
  const bool solved = s.status == Status::solved;
  page.outcome = solved ? "simulated" : "failed";
  page.word = solved ? "simulated" : std::string(name(s.status));
  page.headline = solved ? "Forward simulation" : "The simulation ended early";
  page.sentence = solved ? fmt::format(
                               "{} integrator steps; the energy balances to {} of the "
                               "largest energy that moved.",
                               s.steps, number(run.energy_balance_error, 2))
                         : s.message;
  page.scene = scene(run);
  if (!solved && s.t.size() > 0) page.failed_at = s.t[s.t.size() - 1];
  page.plots = plots(run);
  page.facts = {{"Simulation",
                 {{"Integrator", fmt::format("{}, {} steps", s.integrator, s.steps)},
                  {"Energy balance error", number(run.energy_balance_error, 2)}}}};
  if (run.plant.constraint_count() > 0)
    page.facts[0].facts.push_back(
        {"Constraint violation, largest", number(run.max_constraint_violation, 2)});
  return page;
}

void add_comparison(const std::vector<ComparedMethod>& rows, ResultPage& page) {
  PageTable table{"Methods side by side",
                  {"Method", "Dynamics", "Order", "Step", "Time", "Error of u", "Tool error"},
                  {}};
  for (const ComparedMethod& row : rows) {
    if (row.status != Status::solved) {
      table.rows.push_back({row.method, row.dynamics, "", "", "", "", row.message});
      continue;
    }
    const std::string error = row.tool_error_m ? size_text(*row.tool_error_m, Quantity::length, 2)
                              : row.orientation_error_rad
                                  ? size_text(*row.orientation_error_rad, Quantity::angle, 2)
                                  : "";
    table.rows.push_back({row.method, row.dynamics, row.order > 0 ? std::to_string(row.order) : "",
                          number(1e3 * row.step) + " ms", number(row.seconds, 3) + " s",
                          row.torque_error ? number(100 * *row.torque_error, 2) + " %" : "",
                          error});
  }
  page.tables.push_back(std::move(table));
}

namespace {

// How much of the closest limit each duration takes, one line per profile.
Plot trial_plot(const std::vector<FitTrial>& sorted) {
  std::vector<std::string> profiles;
  std::vector<const FitTrial*> solved;
  for (const FitTrial& trial : sorted) {
    if (trial.status != Status::solved || !std::isfinite(trial.closest.margin)) continue;
    if (!solved.empty() && solved.back()->profile == trial.profile &&
        solved.back()->duration == trial.duration)
      continue;
    solved.push_back(&trial);
    if (std::find(profiles.begin(), profiles.end(), trial.profile) == profiles.end())
      profiles.push_back(trial.profile);
  }
  const auto n = std::ssize(solved);
  Plot plot{.title = "Closest limit over the duration",
            .unit = "%",
            .t = Vector(n),
            .x_name = "duration",
            .levels = {{"limit", 100}}};
  for (Eigen::Index i = 0; i < n; ++i) plot.t[i] = solved[i]->duration;
  for (int k = 0; k < std::ssize(profiles); ++k) {
    Vector y = Vector::Constant(n, NAN);
    for (Eigen::Index i = 0; i < n; ++i)
      if (solved[i]->profile == profiles[k]) y[i] = 100 * (1 - solved[i]->closest.margin);
    plot.lines.push_back({"path " + profiles[k], y, k});
  }
  return plot;
}

}  // namespace

void add_trials(const Fit& fit, ResultPage& page) {
  PageTable table{
      "Durations that were tried", {"Profile", "Duration", "Margin", "Closest limit"}, {}};
  std::vector<FitTrial> trials = fit.trials;
  std::stable_sort(trials.begin(), trials.end(),
                   [](const FitTrial& a, const FitTrial& b) { return a.duration < b.duration; });
  for (const FitTrial& trial : trials) {
    const bool solved = trial.status == Status::solved;
    table.rows.push_back(
        {trial.profile, fmt::format("{:.6g} s", trial.duration),
         solved ? number(100 * trial.closest.margin, 3) + " %" : "",
         solved ? limit_name(trial.closest) + " " + limit_value(trial.closest) : trial.message});
  }
  page.tables.push_back(std::move(table));
  if (Plot plot = trial_plot(trials); plot.t.size() > 1)
    page.plots.insert(page.plots.begin(), std::move(plot));
}

ResultPage result_page(const std::string& job, const ModesReport& report) {
  ResultPage page;
  page.job = job;
  page.outcome = "modes";
  page.word = counted(report.modes.modes.size(), "mode");
  page.headline = "Natural modes";
  page.sentence = fmt::format("Small motions about the pose that is shown, motors {}.",
                              report.drives_free ? "free to turn" : "locked");
  if (!report.modes.at_rest)
    page.warnings.emplace_back(
        "the pose is not one at rest; the frequencies are those of springs as they are there");
  if (report.modes.free_motions > 0)
    page.notes.push_back(fmt::format("{} without a spring: no frequency",
                                     counted(report.modes.free_motions, "motion")));
  PageTable table{"Natural modes", {"Frequency", "Damping", "Elastic energy in"}, {}};
  for (const NaturalMode& mode : report.modes.modes)
    table.rows.push_back(
        {number(mode.frequency, 5) + " Hz", number(100 * mode.damping, 3) + " %", mode.words});
  if (!report.modes.modes.empty()) {
    const NaturalMode& first = report.modes.modes.front();
    page.figures.push_back(
        {"Lowest frequency", table.rows[0][0], first.words, first.frequency, ""});
    page.tables.push_back(std::move(table));
  }
  FactGroup pose{"Pose", {}};
  for (int k = 0; k < report.robot.nq(); ++k)
    pose.facts.push_back({report.robot.coordinates().names[k], number(report.q[k], 6)});
  page.facts.push_back(std::move(pose));
  page.scene = scene(report.robot, report.q, report.modes);
  return page;
}

}  // namespace tauflex
