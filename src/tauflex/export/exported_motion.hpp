// A motion with its torques on its way to other programs: of a record, or of the folder that a run
// wrote.
#pragma once

#include <filesystem>
#include <string>

#include "tauflex/base/table.hpp"
#include "tauflex/results/record.hpp"

namespace tauflex {

struct ExportedMotion {
  // Of the job.
  std::string name;
  // As solved: payload attached.
  Robot robot;
  // As trajectory.csv has it, at the times of the solution.
  Table table;
  // The dynamics were linearised at the start.
  bool is_linearized = false;
  // The job as YAML, and the folder from which it names its files.
  std::string job_text = {};
  std::filesystem::path folder = {};

  // Columns such as "q." + names, one row per name and one column per time. Throws InputError.
  Matrix rows(const Table& of, const std::string& prefix,
              const std::vector<std::string>& names) const;
};

// Throws ProblemError for a question without an answer.
ExportedMotion exported_motion(const Record& record);

// Reads trajectory.csv and scene.json of a folder that `run`, `invert` or `fit` wrote. Throws
// InputError.
ExportedMotion read_result(const std::filesystem::path& folder);

// The table at other times: degree 5 through the six nearest rows, its ends before and after.
Table at_times(const Table& table, const Vector& t);
// At multiples of 1 / rate.
Table at_rate(const Table& table, double rate);

// How far the torques between rows may be off, as a share of the largest: measured at every second
// row when only the others are known.
double interpolation_error(const Table& table);

}  // namespace tauflex
