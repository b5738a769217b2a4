// What the table of a study says: statistics of every number that was kept, which parameter it
// follows, how many runs keep the conditions. Read from the table in bounded memory.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/studies/condition.hpp"
#include "tauflex/studies/sampling.hpp"
#include "tauflex/studies/sobol_indices.hpp"
#include "tauflex/studies/statistics.hpp"
#include "tauflex/studies/study_table.hpp"

namespace tauflex {

// How a kept number follows one parameter; none for parameters that are no numbers.
struct Influence {
  std::string parameter;
  std::optional<double> rank_correlation = {};
  Interval rank_interval = {};
  // Of the variance, by this parameter alone; none with too few runs.
  std::optional<double> variance_share = {};
  // Of a Saltelli design.
  std::optional<SobolIndex> sobol = {};
};

// How much of a number a parameter is responsible for, to put the strongest first: its share of the
// variance, or the square of the rank correlation.
double importance(const Influence& influence);

struct KeptSummary {
  std::string key;
  // Of runs that have this number; of a Saltelli design the independent ones, two of each block.
  RunningMoments moments = {};
  // At quantile_shares; empty without numbers.
  std::vector<double> quantiles = {};
  // The run with the largest number, or with the least where less is worse.
  StudyRow worst = {};
  bool worst_is_largest = true;
  std::vector<Influence> influences = {};
};
inline const std::vector<double> quantile_shares = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

// The share of runs that keep every condition. Runs without an answer keep none.
struct Yield {
  long kept = 0, count = 0;
  Interval interval;  // 95 %
  double share() const {
    return count > 0 ? static_cast<double>(kept) / static_cast<double>(count) : 0;
  }
};

struct StudySummary {
  long runs = 0;
  // How many ended so.
  std::map<std::string, long> by_status;
  // Without an answer: wrong input, not solvable, not converged.
  long failed = 0;
  std::string first_failure;
  std::optional<Yield> yield;
  std::vector<KeptSummary> kept;
  // Quantiles and influences are of every stride-th run; 1: of all.
  long stride = 1;
};

// Columns of numbers of a table, as far as they fit into memory: every `stride`-th row.
struct StudySample {
  long stride = 1;
  std::vector<long> runs;
  // One list per parameter and kept key; none where there is no number.
  std::vector<std::vector<std::optional<double>>> parameters, kept;
};

StudySummary summarize(const std::filesystem::path& table, const StudyColumns& columns,
                       const Sampling& sampling, const std::vector<Condition>& within);
StudySample read_sample(const std::filesystem::path& table, const StudyColumns& columns, long runs,
                        long block = 1);

}  // namespace tauflex
