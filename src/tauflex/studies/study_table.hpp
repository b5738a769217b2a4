// The table of a study, table.csv: one row per run, sorted, the same bytes however it was made.
//   run,status,exit_code,<what varies>..,<what is kept>..,message
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/errors.hpp"
#include "tauflex/studies/journal.hpp"

namespace tauflex {

struct StudyColumns {
  // What varies and what is kept of each run.
  std::vector<std::string> parameters, kept;

  // The first line of the table.
  std::string header() const;
};

struct StudyRow {
  long run = 0;
  // "solved", "missed", "not_solvable", "invalid_input", ..
  std::string status;
  ExitCode code = ExitCode::success;
  // One per parameter: a number, or a value in one line.
  std::vector<std::string> parameters;
  // One per kept key; none where the run has no such number.
  std::vector<std::optional<double>> kept;
  std::string message = {};

  // Else wrong input, not solvable, not converged.
  bool has_answer() const { return code == ExitCode::success || code == ExitCode::proof_missed; }
  // In one line, without its end.
  std::string text() const;
};

// The fields of one line of a CSV file; quoted ones without their quotes.
std::vector<std::string> split_row(const std::string& line);
// Throws InputError when it is no row of these columns.
StudyRow read_row(const std::string& line, const StudyColumns& columns);

// Sorts the rows of a journal into a file, all or nothing, in bounded memory: a window of runs at a
// time. Throws InputError when it cannot be written.
void write_table(const Journal& journal, const StudyColumns& columns, long runs,
                 const std::filesystem::path& path);

// Visits the rows of a table in their order.
void for_each_row(const std::filesystem::path& path, const StudyColumns& columns,
                  const std::function<void(const StudyRow&)>& visit);

}  // namespace tauflex
