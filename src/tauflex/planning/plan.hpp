// The question that a job poses, with a posture and a path that are found by solving it many times
// where the job asks for them: task.posture: least_torque, task.shape: rest.
#pragma once

#include "tauflex/jobs/pose.hpp"

namespace tauflex {

// As pose(); throws ProblemError too when there is no such posture or shape.
Posed plan(const Job& job);

}  // namespace tauflex
