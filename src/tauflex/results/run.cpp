#include "tauflex/results/run.hpp"

#include <fmt/format.h>

#include "tauflex/results/warnings.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {

namespace {

Progress stage(const StageProgress& progress, const char* name) {
  if (!progress) return {};
  return [&progress, name](double fraction) { return progress(name, fraction); };
}

}  // namespace

Record run(const Job& given, Until until, const StageProgress& progress) {
  const auto [posed, start, plant, posture, self_motion] = pose(given);
  const auto points = quasi_static_points(posed, start);
  Diagnosis diagnosis = diagnose(posed, points);
  diagnosis.self_motion = self_motion;
  if (const auto stop = stop_at_rest(posed, start))
    throw ProblemError(posed.task().where + ": " + *stop);
  const Method method = solvable_method(posed, start, diagnosis, given.method);
  const InverseProblem problem = with_window(posed, start, method);
  Job job = given;
  job.task = problem.task();
  Record record{job,       problem.robot(),
                diagnosis, solve(problem, start, method, stage(progress, "solving")),
                {},        {}};
  record.method = method;
  record.regularity = watch_branch(problem, record.solution);
  if (record.solution.status == Status::solved) {
    record.internal = internal_growth(problem, start, record.solution);
    record.ringing = ringing_after(problem, start, points.back().state, method, record.solution);
  }
  record.warnings = warnings_about(record.robot, record.solution);
  if (!posture.empty()) record.warnings.push_back(posture);
  if (until == Until::verified && record.solution.status == Status::solved)
    record.verification =
        verify(plant, problem, record.solution, job.verification, stage(progress, "verifying"));
  if (record.solution.status == Status::solved) {
    record.sent = record.verification
                      ? record.verification->sent
                      : sent_torques(job.controller, problem, record.solution, Hold::linear);
    if (!record.sent->sampled) record.sent.reset();
  }
  return record;
}

Record verify_table(const Job& given, const TorqueTable& table, const StageProgress& progress) {
  const auto [problem, start, plant, posture, self_motion] = pose(given);
  Job job = given;
  job.task = problem.task();
  Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  diagnosis.self_motion = self_motion;
  VerificationOptions options = job.verification;
  if (!table.has_motion) {
    if (options.mode == VerificationMode::segments || options.mode == VerificationMode::feedback)
      throw InputError(
          fmt::format("verification.mode {} needs the motion too: columns q.<name>, v.<name> and "
                      "lambda.<row> in the table",
                      name(options.mode)));
    options.mode = VerificationMode::open_loop;
  }
  if (job.controller) {  // the table says which
    job.controller->torques = HeldValue::start;
    options.controller = job.controller;
  }
  return {job,       problem.robot(),
          diagnosis, table.solution,
          {},        verify(plant, problem, table.solution, options, stage(progress, "verifying")),
          {}};
}

ExitCode exit_code(Status status) {
  switch (status) {
    case Status::solved:
      return ExitCode::success;
    case Status::not_converged:
      return ExitCode::not_converged;
    case Status::not_solvable:
      return ExitCode::not_solvable;
    case Status::missed:
      return ExitCode::proof_missed;
    case Status::interrupted:
      return ExitCode::interrupted;
  }
  return ExitCode::not_converged;
}

ExitCode Record::exit_code() const {
  return tauflex::exit_code(solution.status == Status::solved && verification ? verification->status
                                                                              : solution.status);
}

}  // namespace tauflex
