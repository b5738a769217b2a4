#include "tauflex/results/run.hpp"

#include <fmt/format.h>

#include <tuple>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/progress_parts.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/problem/path_pieces.hpp"
#include "tauflex/results/answer.hpp"
#include "tauflex/results/motion_check.hpp"
#include "tauflex/results/record_limits.hpp"
#include "tauflex/results/run_beside.hpp"
#include "tauflex/results/stated_errors.hpp"
#include "tauflex/results/warnings.hpp"

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

// Joints and drives that leave the range and limits they were given lead the warnings.
Record with_limits(Record& record) {
  std::vector<std::string> sentences;
  record.limits = sent_limits(record);
  for (const LimitMargin& margin : record.limits)
    if (margin.margin < 0) sentences.push_back(exceeded(margin));
  record.warnings.insert(record.warnings.begin(), sentences.begin(), sentences.end());
  return std::move(record);
}

// What the internal motions do on the path, and after it.
using InternalMotions = std::tuple<std::optional<InternalGrowth>, Ringing>;

Record without_answer(const Job& job, const Record& posed, const std::string& why) {
  const Diagnosis& diagnosis = posed.diagnosis;
  Record record{job, posed.robot, diagnosis, {}, {}, {}};
  record.at_rest = posed.at_rest;
  record.solution.status = Status::not_solvable;
  record.solution.message = why;
  if (diagnosis.status != Status::solved && diagnosis.message.empty())
    record.diagnosis.message = why;
  return record;
}

}  // namespace

Verification prove(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                   const VerificationOptions& options, const Progress& progress) {
  Verification proof = verify(plant, problem, solution, options, progress);
  // Outputs within their tolerance do not prove torques whose own error is too large, or that give
  // another motion.
  const double negligible = negligible_motion(proof.tolerance);
  if (proof.status == Status::solved)
    if (const auto sentence = unknown_torque(problem.robot(), solution, negligible)) {
      proof.status = Status::missed;
      proof.message = proof.doubt = *sentence;
    }
  check_motion(plant, problem, solution, options, proof, progress);
  return proof;
}

Record run(const Job& job, Until until, const StageProgress& progress) {
  Record record{job, Robot(job.robot), {}, {}, {}, {}};
  record.diagnosis.status = Status::not_solvable;  // until it is posed
  try {
    const Posed posed = plan(job);
    record.robot = posed.problem.robot();
    record.diagnosis = posed.diagnosis;
    record.start_choice = posed.start.choice;
    record.at_rest = posed.points;
    posed.require_solvable();
    // as far as one can tell before
    const StageProgress first = part_of(progress, 0, 0.4), second = part_of(progress, 0.4, 0.9),
                        last = part_of(progress, 0.9, 1);
    Answer found = answer(posed, of_stage(first, "solving"));
    record.method = found.method;
    record.solution = std::move(found.solution);
    if (!record.has_motion()) return without_answer(job, record, record.solution.message);
    const InverseProblem problem = posed.problem.with_window(record.solution.window);
    record.job.task = problem.task();
    record.regularity = found.regularity;
    record.warnings = warnings_about(record.robot, record.solution);
    if (const auto skipped = skipped_piece(problem, record.solution.t))
      record.warnings.push_back(skipped_text(problem, *skipped));
    record.warnings.insert(record.warnings.end(), posed.notes.begin(), posed.notes.end());
    record.warnings.insert(record.warnings.end(), found.notes.begin(), found.notes.end());
    if (record.solution.status != Status::solved) return with_limits(record);
    const Eigen::Index samples = record.solution.t.size();
    RunBeside<RigidAnswer> rigid(
        until == Until::verified && job.rigid, samples, [&](const Progress& going) {
          return rigid_answer(posed.plant, problem, posed.start.q, record.solution.step,
                              job.verification, going);
        });
    RunBeside<FinerMesh> finer(until == Until::verified && job.plant_differences.empty(), samples,
                               [&](const Progress& going) {
                                 return finer_mesh(posed.plant, problem, record.solution,
                                                   job.verification, going);
                               });
    WorkBeside<InternalMotions> internal([&](const Progress& going) {
      return InternalMotions{internal_growth(problem, posed.start, record.solution),
                             ringing_after(problem, posed.start, posed.points.back().state,
                                           found.method, record.solution, going)};
    });
    if (until == Until::verified) {
      const Progress verifying = of_stage(second, "verifying");
      record.verification =
          prove(posed.plant, problem, record.solution, job.verification, verifying);
      const Progress waiting = of_stage(last, "rigid torques");
      record.rigid = rigid.finish(*record.verification, waiting);
      record.finer = finer.finish(*record.verification, waiting);
    }
    const bool interrupted =
        record.verification && record.verification->status == Status::interrupted;
    if (interrupted) internal.stop();
    std::tie(record.internal, record.ringing) = internal.finish(of_stage(last, "ringing"));
    record.sent = sampled_torques(job, problem, record);
    return with_limits(record);
  } catch (const ProblemError& error) {
    return without_answer(job, record, error.what());
  }
}

Record verify_table(const Job& given, const Posed& posed, const TorqueTable& rows,
                    const StageProgress& progress) {
  const TorqueTable table = on_task(posed.problem, posed.start, rows);
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
  return with_limits(record);
}

}  // namespace tauflex
