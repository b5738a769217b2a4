#include <fmt/format.h>

#include <iostream>

#include "tauflex/base/text_file.hpp"
#include "tauflex/cli/cluster.hpp"
#include "tauflex/cli/terminal.hpp"
#include "tauflex/cli/verbs.hpp"
#include "tauflex/export/study_arrays.hpp"
#include "tauflex/jobs/moved_job.hpp"
#include "tauflex/report/design_report.hpp"
#include "tauflex/report/study_page.hpp"
#include "tauflex/report/sweep_json.hpp"
#include "tauflex/report/sweep_text.hpp"
#include "tauflex/results/write_files.hpp"
#include "tauflex/studies/design.hpp"
#include "tauflex/studies/sweep.hpp"
#include "tauflex/studies/thread_engine.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

// Whole results of the worst runs, as many as the study asks for, each in a folder of its own with
// the job that gives it. Returns the very worst, which the page shows.
std::optional<Record> write_worst(const Arguments& arguments, const Study& study,
                                  const VariedJob& job, const Sweep& result,
                                  const fs::path& folder) {
  std::optional<Record> worst;
  for (const long run : result.worst) {
    const fs::path own = folder / fmt::format("run_{}", run);
    const Node node = job.job_node(values_of(study, run));
    Record record = tauflex::run(read_job(node.copy(), fmt::format("{}_{}", study.name, run)),
                                 Until::verified, terminal_progress());
    if (record.exit_code() == ExitCode::interrupted) return worst;
    if (study.worst > 0)
      write_files(own,
                  run_files(arguments, record, own, {{"job.yaml", moved_job(node.copy(), own)}}));
    if (!worst) worst = std::move(record);
  }
  return worst;
}

// table.npz; where there are too many numbers for one, table.csv has them.
void write_arrays_beside(const SweepFolder& folder, const Sweep& result) {
  const fs::path arrays = folder.path / "table.npz";
  try {
    write_study_arrays(folder.table(), result.columns, result.summary->runs, arrays);
  } catch (const InputError& error) {
    std::error_code failed;
    fs::remove(arrays, failed);
    fmt::print(stderr, "table.npz is left out, table.csv has all rows: {}\n", error.what());
  }
}

}  // namespace

ExitCode sweep_verb(const Arguments& arguments) {
  Engine* const ranks = cluster_engine();
  ThreadEngine threads(arguments.jobs);
  Engine& engine = ranks ? *ranks : threads;
  const Study study = read_study(arguments.job, arguments.set);
  if (!study.sampling)
    throw UsageError(study.name + ": this study only asks for a design; use tauflex design");
  const SweepFolder folder{arguments.folder(study.name), arguments.resume};
  if (engine.keeps_table()) folder.require_usable(study.text);
  const StageProgress progress = engine.keeps_table() ? terminal_progress() : StageProgress();
  const VariedJob job = job_of(study, progress);
  if (job.nominal().exit_code() == ExitCode::interrupted) return ExitCode::interrupted;
  const Sweep result = sweep(study, job, folder, engine, of_stage(progress, "study"));
  if (!engine.keeps_table()) return ExitCode::success;
  if (result.status == Status::interrupted) {
    fmt::print(stderr, "interrupted; tauflex sweep --resume goes on from {}\n",
               folder.journal().string());
    return ExitCode::interrupted;
  }
  const std::string json = sweep_json(study, job, result);
  write_text_file(folder.path / "summary.json", json);
  write_arrays_beside(folder, result);
  const std::optional<Record> worst = write_worst(arguments, study, job, result, folder.path);
  write_text_file(folder.path / "study.html",
                  study_page(study, job, result, folder.table(), worst));
  std::cout << (arguments.json ? json : sweep_text(study, job, result));
  fmt::print(stderr, "written to {}\n", folder.path.string());
  return ExitCode::success;
}

ExitCode design_verb(const Arguments& arguments) {
  const Study study = read_study(arguments.job, arguments.set);
  const fs::path folder = arguments.folder(study.name + "_design");
  const std::vector<std::string> names = {"record.json", "report.html",    "scene.json",
                                          "job.yaml",    "trajectory.csv", "simulated.csv",
                                          "design.json"};
  require_free_names(folder, names, arguments.inputs());
  ThreadEngine threads(arguments.jobs);
  const Design result = design(study, threads, terminal_progress());
  const std::string json = design_json(study, result);
  std::cout << (arguments.json ? json : design_text(study, result));
  if (result.status == Status::interrupted) return ExitCode::interrupted;
  begin_writing();
  write_files(folder, run_files(arguments, *result.record, folder,
                                {{"job.yaml", moved_job(result.job->copy(), folder)},
                                 {"design.json", json}}));
  fmt::print(stderr, "written to {}\n", folder.string());
  return result.record->exit_code();
}

}  // namespace tauflex
