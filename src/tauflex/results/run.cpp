#include "tauflex/results/run.hpp"

#include <fmt/format.h>

#include <optional>
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

// Of the time of a run, as far as one can tell before.
constexpr double solving_share = 0.4;

// What the internal motions do on the path, and after it.
using InternalMotions = std::tuple<std::optional<InternalGrowth>, Ringing>;

void add_notes(const std::vector<std::string>& notes, Record& record) {
  record.warnings.insert(record.warnings.end(), notes.begin(), notes.end());
}

Record not_posed(const Job& job) {
  Record record{job, Robot(job.robot), {}, {}, {}, {}};
  record.diagnosis.status = Status::not_solvable;
  return record;
}

void take(const Posed& posed, Record& record) {
  record.robot = posed.problem.robot();
  record.diagnosis = posed.diagnosis;
  record.start_choice = posed.start.choice;
  record.at_rest = posed.points;
}

Record without_answer(const Job& job, const Record& posed, const std::string& why) {
  const Diagnosis& diagnosis = posed.diagnosis;
  Record record{job, posed.robot, diagnosis, {}, posed.warnings, {}};
  record.at_rest = posed.at_rest;
  record.solution.status = Status::not_solvable;
  record.solution.message = why;
  if (diagnosis.status != Status::solved && diagnosis.message.empty())
    record.diagnosis.message = why;
  return record;
}

// A proof that could not begin: the torques stay, and the reason is the proof's.
Verification no_proof(const Robot& robot, const std::string& why, const Solution& solution) {
  Verification proof;
  proof.status = Status::not_solvable;
  proof.message = why;
  proof.covered.share = 0;
  proof.q.resize(robot.nq(), 0);
  proof.v.resize(robot.nv(), 0);
  proof.u.resize(solution.u.rows(), 0);
  proof.lambda.resize(solution.lambda.rows(), 0);
  proof.y.resize(solution.y.rows(), 0);
  return proof;
}

Verification proof_of(const Posed& posed, const InverseProblem& problem, const Record& record,
                      const Progress& progress) try {
  return prove(posed.plant, problem, record.solution, record.job.verification, progress);
} catch (const ProblemError& error) {
  return no_proof(record.robot, error.what(), record.solution);
}

// The proof, and beside it on other threads: what rigid torques would do, what a finer mesh would
// say, what internal motions do.
void look_beside(const Posed& posed, const InverseProblem& problem, bool proved,
                 const StageProgress& progress, Record& record) {
  const Job& job = record.job;
  const Solution& solution = record.solution;
  const Eigen::Index samples = solution.t.size();
  RunBeside<RigidAnswer> rigid(proved && job.rigid, samples, [&](const Progress& going) {
    return rigid_answer(posed.plant, problem, posed.start.q, solution.step, job.verification,
                        going);
  });
  RunBeside<FinerMesh> finer(
      proved && job.plant_differences.empty(), samples, [&](const Progress& going) {
        return finer_mesh(posed.plant, problem, solution, job.verification, going);
      });
  WorkBeside<InternalMotions> internal([&](const Progress& going) {
    return InternalMotions{internal_growth(problem, posed.start, solution),
                           ringing_after(problem, posed.start, posed.points.back().state,
                                         *record.method, solution, going)};
  });
  const StageProgress proving = part_of(progress, solving_share, 0.9),
                      last = part_of(progress, 0.9, 1);
  if (proved) {
    record.verification = proof_of(posed, problem, record, of_stage(proving, "verifying"));
    const Progress waiting = of_stage(last, "rigid torques");
    record.rigid = rigid.finish(*record.verification, waiting);
    record.finer = finer.finish(*record.verification, waiting);
    if (record.verification->status == Status::interrupted) internal.stop();
  }
  std::tie(record.internal, record.ringing) = internal.finish(of_stage(last, "ringing"));
  record.sent = sampled_torques(job, problem, record);
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
  Record record = not_posed(job);
  std::optional<Posed> posed;
  try {
    posed = plan(job);
    take(*posed, record);
    record.warnings = posed->notes;
    posed->require_solvable();
  } catch (const ProblemError& error) {
    return without_answer(job, record, error.what());
  }
  const StageProgress first = part_of(progress, 0, solving_share);
  Answer found = answer(*posed, of_stage(first, "solving"));
  record.method = found.method;
  record.regularity = found.regularity;
  record.solution = std::move(found.solution);
  if (!record.has_motion()) {
    add_notes(found.notes, record);
    return without_answer(job, record, record.solution.message);
  }
  const InverseProblem problem = posed->problem.with_window(record.solution.window);
  record.job.task = problem.task();
  record.warnings = warnings_about(record.robot, record.solution);
  if (const auto skipped = skipped_piece(problem, record.solution.t))
    add_notes({skipped_text(problem, *skipped)}, record);
  add_notes(posed->notes, record);
  add_notes(found.notes, record);
  if (record.solution.status == Status::solved)
    look_beside(*posed, problem, until == Until::verified, progress, record);
  return with_limits(record);
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
