// Everything that came out of a job, as files and reports tell it.
#pragma once

#include "tauflex/analysis/internal_growth.hpp"
#include "tauflex/analysis/motion_regularity.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/jobs/pose.hpp"
#include "tauflex/results/finer_mesh.hpp"
#include "tauflex/results/limits.hpp"
#include "tauflex/results/rigid_answer.hpp"
#include "tauflex/results/ringing.hpp"
#include "tauflex/results/verification.hpp"

namespace tauflex {

struct Failure;

// What the program exits with when a computation ended so.
ExitCode exit_code(Status status);

// Everything that came out of a job. Owns its data. A question without an answer leaves a solution
// without columns, with the status not_solvable and the reason.
struct Record {
  // Its task as it was solved: held joints, path, holds.
  Job job;
  // as solved: payload attached, linearised where asked
  Robot robot;
  Diagnosis diagnosis;
  Solution solution;
  // sentences: what a user should know although it was solved
  std::vector<std::string> warnings;
  // None when the run ended before it.
  std::optional<Verification> verification;
  // Beside the proof; none without one, for a robot without elastic parts, or by `rigid: off`.
  std::optional<RigidAnswer> rigid = {};
  // Beside the proof; none without one, without beams, and where the proof is on another plant.
  std::optional<FinerMesh> finer = {};
  // After the path; none when it was not solved.
  std::optional<Ringing> ringing = {};
  // Along the motion; none without internal dynamics.
  std::optional<InternalGrowth> internal = {};
  // Of the motion; none for torques of a table.
  std::optional<MotionRegularity> regularity = {};
  // In the samples of the job's controller, where it has some.
  std::optional<SentTorques> sent = {};
  // Of what is sent, see record_limits.hpp.
  std::vector<LimitMargin> limits = {};
  // With all its options; none for torques of a table.
  std::optional<Method> method = {};
  // The robot at rest along its path, as far as it can be; none where it has no start.
  std::vector<QuasiStaticPoint> at_rest = {};
  // Which posture the motion starts in, of how many; empty where there was no choice.
  std::string start_choice = {};

  // False where the question has no answer.
  bool has_motion() const { return solution.t.size() > 0; }
  ExitCode exit_code() const;
};

// The kind of failure that a record ended with; none where it is a success.
const Failure* failure_of(const Record& record);

}  // namespace tauflex
