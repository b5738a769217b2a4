// A forward simulation of a job's plant: under given torques or a controller, from its start at
// rest or from a given state.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tauflex/base/table.hpp"
#include "tauflex/jobs/job.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

struct FreeRunOptions {
  std::filesystem::path torques;   // table with t and u.<link>; empty: see below
  std::optional<double> duration;  // s; none: that of the job, the table or the task
  std::optional<double> rate;      // samples per second in the result; none: that of the job
};

struct FreeRun {
  Simulation simulation;
  Matrix y;                             // outputs, one column per time
  double energy_balance_error = 0;      // as in Verification
  double max_constraint_violation = 0;  // |g(q, t)|, m or rad
  Robot plant;
  Outputs outputs;
  bool has_table = false;    // torques from a table, given or of the solution
  Hold hold = Hold::linear;  // of that table
};

// Without a table the torques are: those of the solution, where a controller wants them; the
// holding torques of the start at rest; none from any other state.

FreeRun simulate_job(const Job& job, const FreeRunOptions& options,
                     const StageProgress& progress = {});

Table free_run_table(const Job& job, const FreeRun& run);

}  // namespace tauflex
