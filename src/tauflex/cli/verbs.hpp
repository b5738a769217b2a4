// What each verb reads, does and writes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/errors.hpp"
#include "tauflex/export/export_options.hpp"
#include "tauflex/jobs/job.hpp"
#include "tauflex/results/write_files.hpp"
#include "tauflex/studies/compare.hpp"
#include "tauflex/studies/fit.hpp"

namespace tauflex {

// What the verbs take from the command line; each uses some of it.
struct Arguments {
  std::string job;
  std::vector<std::string> set;
  std::string out;
  std::string table;
  double rate = 0;
  double duration = 0;
  std::string dynamics = "both";
  ComparisonOptions comparison = {};
  FitOptions fit = {};
  ExportOptions exported = {};
  // of pose: joints, frame, and where it shall be
  std::string at, frame, reach;
  bool poses = false;
  // of modes: motors turn freely
  bool free = false;
  bool json = false;
  bool picture = false;
  bool strict = false;
  // How it was found, too.
  bool verbose = false;
  // of sweep: threads, and whether it goes on with what is there
  int jobs = 0;
  bool resume = false;
  // of report and export: folders of results
  std::vector<std::string> results;

  // --set, and what other options set.
  std::vector<std::string> overrides() const;
  Job read() const { return read_job(job, overrides()); }
  // Files that are read.
  std::vector<std::string> inputs() const;
  std::filesystem::path folder(const std::string& name) const {
    return out.empty() ? std::filesystem::path("out") / name : std::filesystem::path(out);
  }
  std::optional<double> sample_rate() const {
    return rate > 0 ? std::optional(rate) : std::nullopt;
  }
};

// The files of a run as they are written, with some more; record.json lists them all.
ResultFiles run_files(const Arguments& arguments, const Record& record,
                      const std::filesystem::path& folder, ResultFiles more);

using Verb = ExitCode (*)(const Arguments&);

ExitCode check_verb(const Arguments& arguments);
ExitCode pose_verb(const Arguments& arguments);
ExitCode modes_verb(const Arguments& arguments);
ExitCode analyze_verb(const Arguments& arguments);
ExitCode compare_verb(const Arguments& arguments);
ExitCode invert_verb(const Arguments& arguments);
ExitCode run_verb(const Arguments& arguments);
ExitCode fit_verb(const Arguments& arguments);
ExitCode sweep_verb(const Arguments& arguments);
ExitCode design_verb(const Arguments& arguments);
ExitCode verify_verb(const Arguments& arguments);
ExitCode report_verb(const Arguments& arguments);
ExitCode export_verb(const Arguments& arguments);
ExitCode simulate_verb(const Arguments& arguments);
ExitCode examples_verb(const Arguments& arguments);
ExitCode schema_verb(const Arguments& arguments);

}  // namespace tauflex
