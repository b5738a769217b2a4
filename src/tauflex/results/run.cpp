#include "tauflex/results/run.hpp"

#include <fmt/format.h>

#include <set>

#include "tauflex/results/warnings.hpp"
#include "tauflex/solvers/exact.hpp"

namespace tauflex {

namespace {

Progress stage(const StageProgress& progress, const char* name) {
  if (!progress) return {};
  return [&progress, name](double fraction) { return progress(name, fraction); };
}

}  // namespace

Record run(const Job& given, Until until, const StageProgress& progress) {
  const auto [problem, start, plant, posture, self_motion] = pose(given);
  Job job = given;
  job.task = problem.task();
  Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  diagnosis.self_motion = self_motion;
  require_solvable(problem, diagnosis);
  const Method method = job.method.value_or(choose_method(problem, diagnosis));
  Record record{job,       problem.robot(),
                diagnosis, solve(problem, start, method, stage(progress, "solving")),
                {},        {}};
  record.warnings = warnings_about(record.robot, record.solution);
  if (!posture.empty()) record.warnings.push_back(posture);
  if (until == Until::verified && record.solution.status == Status::solved)
    record.verification =
        verify(plant, problem, record.solution, job.verification, stage(progress, "verifying"));
  return record;
}

Record verify_table(const Job& given, const TorqueTable& table, const StageProgress& progress) {
  const auto [problem, start, plant, posture, self_motion] = pose(given);
  Job job = given;
  job.task = problem.task();
  const Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  VerificationOptions options = job.verification;
  if (!table.has_motion) {
    if (options.mode == VerificationMode::segments || options.mode == VerificationMode::feedback)
      throw InputError(
          fmt::format("verification.mode {} needs the motion too: columns q.<name>, v.<name> and "
                      "lambda.<row> in the table",
                      name(options.mode)));
    options.mode = VerificationMode::open_loop;
  }
  return {job,       problem.robot(),
          diagnosis, table.solution,
          {},        verify(plant, problem, table.solution, options, stage(progress, "verifying"))};
}

// Truncation falls as h^4, rounding in u grows as h^-p, p the derivative of the path that the
// torque depends on: the higher p, the fewer steps a move of the path can bear.             theory
// (P.4)
Method choose_method(const InverseProblem& problem, const Diagnosis& diagnosis) {
  const double span = problem.path().duration();
  if (has_exact_solution(problem))
    return ExactOptions{.step = span / std::max(1000.0, span * 1000)};
  const int p = diagnosis.required_smoothness;
  const double steps_per_move = p <= 2 ? 1000 : p == 3 ? 600 : p == 4 ? 300 : 150;
  std::set<double> ends;  // of the moves
  for (const Corner& corner : problem.path().corners()) ends.insert(corner.time);
  const double moves = std::max(1.0, static_cast<double>(ends.size()) - 1);
  return BdfOptions{.order = 4, .step = span / moves / steps_per_move};
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
