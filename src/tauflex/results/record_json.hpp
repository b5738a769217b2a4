// Results as JSON. Keys that scripts rely on: docs/files.md.
#pragma once

#include <string>

#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/solvability.hpp"

namespace tauflex {

// record.json of a run.
std::string record_json(const Record& record);

// The diagnosis alone, as `check --json` prints it.
std::string solvability_json(const Job& job, const Solvability& result);
std::string diagnosis_json(const Job& job, const Diagnosis& diagnosis);

// The plant of a job without a task, as `check --json` prints it.
std::string plant_json(const Job& job, const PosedPlant& posed);

// simulation.json of a forward simulation.
std::string free_run_json(const Job& job, const FreeRun& run);

}  // namespace tauflex
