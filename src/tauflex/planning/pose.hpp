// The question that a job poses: its robot and task put together, with a start at rest.
#pragma once

#include "tauflex/equations/start.hpp"
#include "tauflex/jobs/job.hpp"

namespace tauflex {

// The posed question: payload attached, a linearised robot linearised at its start. Throws
// ProblemError when there is no start.
struct PosedProblem {
  InverseProblem problem;  // where drives outnumber outputs, joints that are held are outputs too
  RestState start;
  Robot plant;
  std::string posture = {};  // sentences about joints that are held and the path's shape
  Matrix self_motion =
      {};  // drives x k: motions of the joints that leave the outputs, at the start
};
PosedProblem pose(const Job& job);

// The plant of a job alone, on its constraints, without redundant rows. Throws ProblemError.
struct PosedPlant {
  Robot plant;
  Vector q, v;
};
PosedPlant pose_plant(const Job& job);

}  // namespace tauflex
