// A forward simulation of a job's plant under given torques, from its start at rest.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "tauflex/base/table.hpp"
#include "tauflex/results/job.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {

struct FreeRunOptions {
  std::filesystem::path
      torques;  // table with t and u.<link>; empty: the holding torques of the start
  std::optional<double> duration;  // s; none: as long as the table or the task
  double rate = 1000;              // samples per second in the result
};

struct FreeRun {
  Simulation simulation;
  Matrix y;                         // outputs, one column per time
  double energy_balance_error = 0;  // as in Verification
  std::vector<std::string> coordinates, drives;
};

FreeRun simulate_job(const Job& job, const FreeRunOptions& options,
                     const StageProgress& progress = {});

Table free_run_table(const Job& job, const FreeRun& run);
std::string free_run_json(const Job& job, const FreeRun& run);

}  // namespace tauflex
