// Whether and how the question of a job can be solved, and why not.
#pragma once

#include "tauflex/jobs/job.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// Throws InputError only: a question without an answer is a verdict.
Solvability analyze(const Job& job);

}  // namespace tauflex
