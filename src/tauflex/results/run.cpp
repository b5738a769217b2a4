#include "tauflex/results/run.hpp"

#include <fmt/format.h>

namespace tauflex {

namespace {

Progress stage(const StageProgress& progress, const char* name) {
  if (!progress) return {};
  return [&progress, name](double fraction) { return progress(name, fraction); };
}

}  // namespace

Record run(const Job& job, Until until, const StageProgress& progress) {
  const auto [problem, start, plant] = pose(job);
  const Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  require_solvable(problem, diagnosis);
  const Method method = job.method.value_or(choose_method(problem, diagnosis));
  Record record{job, problem.robot(), diagnosis,
                solve(problem, start, method, stage(progress, "solving")), std::nullopt};
  if (until == Until::verified && record.solution.status == Status::solved)
    record.verification =
        verify(plant, problem, record.solution, job.verification, stage(progress, "verifying"));
  return record;
}

Record verify_table(const Job& job, const Solution& table, const StageProgress& progress) {
  const auto [problem, start, plant] = pose(job);
  const Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  return {job, problem.robot(), diagnosis, table,
          verify(plant, problem, table, job.verification, stage(progress, "verifying"))};
}

Method choose_method(const InverseProblem& problem, const Diagnosis&) {
  BdfOptions options;
  options.order = 4;
  options.step = std::min(1e-3, (problem.end() - problem.begin()) / 300);
  return options;
}

void require_solvable(const InverseProblem& problem, const Diagnosis& diagnosis) {
  const std::string& where = problem.task().where;
  if (diagnosis.status != Status::solved) throw ProblemError(where + ": " + diagnosis.message);
  if (const auto fault = smoothness_fault(problem, diagnosis))
    throw ProblemError(where + ": " + *fault);
  const double exponent = diagnosis.largest_zero_real_part * (problem.end() - problem.begin());
  if (!diagnosis.minimum_phase && exponent > 7)  // a thousandfold growth of any error
    throw ProblemError(
        fmt::format("{}: the robot is not minimum phase: a zero at {:+.4g} per second lets every "
                    "torque that starts with the path grow "
                    "by a factor of 1e{:.0f}; move the tool point towards the last drive, or make "
                    "the last link's inertia about its joint larger",
                    where, diagnosis.largest_zero_real_part, exponent / std::log(10.0)));
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
