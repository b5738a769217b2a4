// All runs of a study, on any engine: rows go to the journal as they come, then sorted to the
// table, then to a summary. The result is the same bytes for any number of threads and ranks, in
// any order, and after any number of interruptions.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/progress.hpp"
#include "tauflex/studies/engine.hpp"
#include "tauflex/studies/study.hpp"
#include "tauflex/studies/study_summary.hpp"
#include "tauflex/studies/varied_job.hpp"

namespace tauflex {

struct SweepFolder {
  std::filesystem::path path;
  // Goes on with what is there, if anything.
  bool resume = false;

  std::filesystem::path study() const { return path / "study.yaml"; }
  std::filesystem::path journal() const { return path / "rows.journal"; }
  std::filesystem::path table() const { return path / "table.csv"; }
  // Before any run: throws InputError where files of others would be replaced, where an unfinished
  // study is not to be resumed, and where the study that is to be resumed is another one.
  void require_usable(const std::string& study_text) const;
};

// Rows that are made by `work`; true when all of them are in the table. `study_text` names the
// study. On a rank that only works, its part of them.
bool make_table(const std::string& study_text, const StudyColumns& columns, long runs,
                const std::function<StudyRow(long run, const Progress&)>& work,
                const SweepFolder& folder, Engine& engine, const Progress& progress = {});

// The job of a study. Conditions and the choice of the worst runs need their keys too.
VariedJob job_of(const Study& study, const StageProgress& progress = {});

struct Sweep {
  // interrupted: the journal has the rows so far; no summary
  Status status = Status::solved;
  StudyColumns columns;
  std::optional<StudySummary> summary;
  // The worst runs by study.worst_by, else by the first number that is kept, the worst first: one,
  // or as many as the study asks for.
  std::vector<long> worst;
};

std::vector<DrawnValue> values_of(const Study& study, long run);
Sweep sweep(const Study& study, const VariedJob& job, const SweepFolder& folder, Engine& engine,
            const Progress& progress = {});

}  // namespace tauflex
