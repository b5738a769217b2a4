// Results as JSON. Keys that scripts rely on: docs/files.md.
#pragma once

#include <string>
#include <vector>

#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// record.json of a run, and the names of all files that are written with it.
std::string record_json(const Record& record, const std::vector<std::string>& files = {});

// The diagnosis alone, as `check --json` prints it.
std::string solvability_json(const Job& job, const Solvability& result);
std::string diagnosis_json(const Job& job, const Diagnosis& diagnosis);

// The plant of a job without a task, as `check --json` prints it.
std::string plant_json(const Job& job, const PosedPlant& posed);

// simulation.json of a forward simulation, and the names of all files that are written with it.
std::string free_run_json(const Job& job, const FreeRun& run,
                          const std::vector<std::string>& files = {});

}  // namespace tauflex
