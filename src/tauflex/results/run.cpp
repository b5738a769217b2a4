#include "tauflex/results/run.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/results/motion_check.hpp"
#include "tauflex/results/stated_errors.hpp"
#include "tauflex/results/warnings.hpp"
#include "tauflex/solvers/step_error.hpp"

namespace tauflex {

namespace {

// The samples of the job's controller, where it has some.
std::optional<SentTorques> sampled_torques(const Job& job, const InverseProblem& problem,
                                           const Record& record) {
  SentTorques sent = record.verification
                         ? record.verification->sent
                         : sent_torques(job.controller, problem, record.solution, Hold::linear);
  return sent.sampled ? std::optional(std::move(sent)) : std::nullopt;
}

Record without_answer(const Job& job, const Robot& robot, const Diagnosis& diagnosis,
                      const std::string& why) {
  Record record{job, robot, diagnosis, {}, {}, {}};
  record.solution.status = Status::not_solvable;
  record.solution.message = why;
  if (diagnosis.status != Status::solved && diagnosis.message.empty())
    record.diagnosis.message = why;
  return record;
}

// A bdf that the job does not ask for takes the step and the order with the least error.
Solution solution_of(const Job& job, const Posed& posed, const Progress& progress, Method& method) {
  const auto* bdf = std::get_if<BdfOptions>(&posed.method);
  if (!bdf || job.method) return solve_with_error(posed.problem, posed.start, method, progress);
  ChosenBdf chosen =
      solve_with_best_step(posed.problem, posed.start, posed.diagnosis, *bdf, progress);
  method = chosen.options;
  return std::move(chosen.solution);
}

// Outputs within their tolerance do not prove torques whose own error is too large, or that give
// another motion.
void look_beyond_outputs(const Robot& plant, const InverseProblem& problem,
                         const Solution& solution, const VerificationOptions& options,
                         const Progress& progress, Verification& proof) {
  if (proof.status == Status::solved)
    if (const auto sentence = unknown_torque(problem.robot(), solution, options.tolerance)) {
      proof.status = Status::missed;
      proof.message = proof.doubt = *sentence;
    }
  check_motion(plant, problem, solution, options, proof, progress);
}

}  // namespace

Record run(const Job& job, Until until, const StageProgress& progress) {
  Record record{job, Robot(job.robot), {}, {}, {}, {}};
  record.diagnosis.status = Status::not_solvable;  // until it is posed
  try {
    const Posed posed = plan(job);
    record.robot = posed.problem.robot();
    record.diagnosis = posed.diagnosis;
    record.method = posed.method;
    posed.require_solvable();
    record.solution = solution_of(job, posed, of_stage(progress, "solving"), *record.method);
    const InverseProblem problem = posed.problem.with_window(record.solution.window);
    record.job.task = problem.task();
    record.regularity = watch_branch(problem, record.solution);
    record.warnings = warnings_about(record.robot, record.solution);
    record.warnings.insert(record.warnings.end(), posed.notes.begin(), posed.notes.end());
    if (record.solution.status != Status::solved) return record;
    record.internal = internal_growth(problem, posed.start, record.solution);
    record.ringing = ringing_after(problem, posed.start, posed.points.back().state, *record.method,
                                   record.solution);
    if (until == Until::verified) {
      const Progress verifying = of_stage(progress, "verifying");
      record.verification =
          verify(posed.plant, problem, record.solution, job.verification, verifying);
      look_beyond_outputs(posed.plant, problem, record.solution, job.verification, verifying,
                          *record.verification);
    }
    record.sent = sampled_torques(job, problem, record);
    return record;
  } catch (const ProblemError& error) {
    return without_answer(job, record.robot, record.diagnosis, error.what());
  }
}

Record verify_table(const Job& given, const Posed& posed, const TorqueTable& table,
                    const StageProgress& progress) {
  Record record{given, posed.problem.robot(), posed.diagnosis, table.solution, {}, {}};
  record.job.task = posed.problem.task();
  VerificationOptions options = given.verification;
  if (!table.has_motion) {
    if (options.mode == VerificationMode::segments || options.mode == VerificationMode::feedback)
      throw InputError(
          fmt::format("verification.mode {} needs the motion too: columns q.<name>, v.<name> and "
                      "lambda.<row> in the table",
                      name(options.mode)));
    options.mode = VerificationMode::open_loop;
  }
  if (record.job.controller) {  // the table says which
    record.job.controller->torques = HeldValue::start;
    options.controller = record.job.controller;
  }
  record.verification =
      verify(posed.plant, posed.problem, table.solution, options, of_stage(progress, "verifying"));
  if (table.has_motion)
    check_motion(posed.plant, posed.problem, table.solution, options, *record.verification,
                 of_stage(progress, "verifying"));
  return record;
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
