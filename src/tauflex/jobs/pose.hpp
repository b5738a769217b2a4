// The question that a job poses: its robot and task put together, with a start at rest, and what
// can be said of it before any motion is solved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/jobs/job.hpp"
#include "tauflex/solvers/causal_growth.hpp"

namespace tauflex {

struct Posed {
  // Looks at the question: everything after `plant` follows. `method`: asked for; none: chosen.
  Posed(InverseProblem problem, RestState start, Robot plant, const std::optional<Method>& method);

  // Where drives outnumber outputs, joints that are held are outputs too.
  InverseProblem problem;
  RestState start;
  // What the proof runs on.
  Robot plant;
  // At rest along the path.
  std::vector<QuasiStaticPoint> points;
  Diagnosis diagnosis;
  CausalGrowth growth;
  Method method;
  // The job leaves the method open.
  bool chosen = false;
  // Where the method was chosen: others that may answer when it does not, the best first.
  std::vector<Method> further = {};
  // Why there is no answer, in a sentence; none: no obstacle is known before solving.
  // This is the verdict of every verb.
  std::optional<std::string> unsolvable;
  // sentences: joints that are held, a path that is bent
  std::vector<std::string> notes = {};

  // Throws ProblemError with the reason when there is no answer.
  void require_solvable() const;
  // Why a method has no answer, before it is tried.
  std::optional<std::string> fault_of(const Method& method) const;
};

// The job with its path as smooth as the torques ask for, where the path leaves that open.
Job with_smooth_path(const Job& job);

// Payload attached, redundant rows of constraints left out, linearised at the start where the job
// asks for it. Throws ProblemError when there is no start, InputError when there is no task.
Posed pose(const Job& job);

// What the proof of a question runs on, as in Posed: of another job with the same robot and task,
// whose plant differs.
Robot plant_on(const Job& job, const InverseProblem& problem, const RestState& start);

// The plant of a job alone, on its constraints, without redundant rows. Throws ProblemError.
struct PosedPlant {
  Robot plant;
  Vector q, v;
};
PosedPlant pose_plant(const Job& job);

}  // namespace tauflex
