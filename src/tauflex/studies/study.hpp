// A study as its file says it: a job, what varies in it, which points are looked at, what is kept
// of each run. docs/sweeps.md describes the file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/base/node.hpp"
#include "tauflex/studies/condition.hpp"
#include "tauflex/studies/parameters.hpp"
#include "tauflex/studies/sampling.hpp"

namespace tauflex {

struct Field;

// What `tauflex design` looks for: the smallest or largest number that keeps the conditions.
struct DesignQuestion {
  bool smallest = true;
  // What is looked for; several: each by itself, see design.hpp.
  std::vector<Parameter> parameters;
  // Bounds, as the parameters' distributions say them.
  std::vector<Condition> where;
  // Points that are looked at between the bounds before the search begins.
  int looks = 13;
  // Of the answer, relative to the larger bound.
  double tolerance = 1e-4;

  std::vector<Field> fields();
};

struct Study {
  std::string name;
  std::string job_name;
  // Complete: with its robot files in it.
  Node job;
  std::vector<Parameter> parameters = {};
  // Of all random numbers.
  long seed = 1;
  // None in a file that only asks for a design.
  std::optional<Sampling> sampling = {};
  // Keys of record.json; none: see StudyRuns.
  std::vector<std::string> keep = {};
  // Of the yield.
  std::vector<Condition> within = {};
  // Whole results of that many runs, the worst by a key.
  long worst = 0;
  std::string worst_by = {};
  std::optional<DesignQuestion> design = {};
  // Where keys of record.json are asked for: "study.yaml:9: study.keep".
  std::map<std::string, std::string> asked_at = {};
  // The file as it was understood, job in it, with a digest of every file that runs read: two
  // studies with the same text have the same rows.
  std::string text = {};

  std::vector<Field> fields();
  std::vector<Field> record_fields();
};

// `overrides` are key=value pairs of --set, of the study file. Throws InputError.
Study read_study(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
Study read_study(Node file, const std::string& name,
                 const std::vector<std::string>& overrides = {});

}  // namespace tauflex
