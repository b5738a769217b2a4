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
  // Table with t and u.<link>; empty: see below.
  std::filesystem::path torques;
  // s; none: that of the job, the table or the task
  std::optional<double> duration = {};
  // Samples per second in the result; none: that of the job.
  std::optional<double> rate = {};

  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

struct FreeRun {
  Simulation simulation;
  // Outputs, one column per time.
  Matrix y;
  // as in Verification
  double energy_balance_error = 0;
  // |g(q, t)|, m or rad
  double max_constraint_violation = 0;
  Robot plant;
  Outputs outputs;
  // Torques from a table, given or of the solution.
  bool has_table = false;
  // Of that table.
  Hold hold = Hold::linear;
};

// Without a table the torques are: those of the solution, where a controller wants them; the
// holding torques of the start at rest; none from any other state.

FreeRun simulate_job(const Job& job, const FreeRunOptions& options,
                     const StageProgress& progress = {});

Table free_run_table(const Job& job, const FreeRun& run);

}  // namespace tauflex
