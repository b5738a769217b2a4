#include "tauflex/studies/study_summary.hpp"

#include <algorithm>
#include <cmath>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

constexpr long most_numbers = 10'000'000;  // in memory at a time: 160 MB

// Runs that were drawn independently of each other: of a block of a Saltelli design only A and B.
struct Independent {
  long block;
  bool operator()(long run) const { return run % block < 2; }
};

// Every row once: counts, moments, worst rows.
void count_rows(const std::filesystem::path& table, const StudyColumns& columns,
                const Independent& independent, const std::vector<Condition>& within,
                StudySummary& summary) {
  std::vector<std::pair<size_t, const Condition*>> asked;
  for (const Condition& condition : within)
    asked.emplace_back(static_cast<size_t>(index_of(condition.key, columns.kept)), &condition);
  if (!within.empty()) summary.yield.emplace();
  for_each_row(table, columns, [&](const StudyRow& row) {
    ++summary.runs;
    ++summary.by_status[row.status];
    if (!row.has_answer() && ++summary.failed == 1) summary.first_failure = row.message;
    if (!independent(row.run)) return;
    for (size_t i = 0; i < row.kept.size(); ++i) {
      if (!row.kept[i]) continue;
      KeptSummary& kept = summary.kept[i];
      kept.moments.add(*row.kept[i]);
      const long worst =
          kept.worst_is_largest ? kept.moments.place_of_most() : kept.moments.place_of_least();
      if (worst + 1 == kept.moments.count()) kept.worst = row;
    }
    if (!summary.yield) return;
    ++summary.yield->count;
    summary.yield->kept +=
        row.has_answer() && std::all_of(asked.begin(), asked.end(), [&](const auto& one) {
          return one.second->keeps(row.kept[one.first]);
        });
  });
  if (summary.yield)
    summary.yield->interval = wilson_interval(summary.yield->kept, summary.yield->count);
}

// Pairs of numbers where both are there.
Influence rank_influence(const std::string& parameter,
                         const std::vector<std::optional<double>>& parameter_values,
                         const std::vector<std::optional<double>>& kept) {
  Influence influence{.parameter = parameter};
  std::vector<double> x, y;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (!parameter_values[i]) return influence;  // not a number
    if (!kept[i]) continue;
    x.push_back(*parameter_values[i]);
    y.push_back(*kept[i]);
  }
  if (x.size() < 2) return influence;
  influence.rank_correlation = rank_correlation(x, y);
  influence.variance_share = variance_share(x, y);
  influence.rank_interval = rank_correlation_interval(*influence.rank_correlation, std::ssize(x));
  return influence;
}

}  // namespace

double importance(const Influence& influence) {
  if (influence.sobol) return influence.sobol->total;
  return influence.variance_share.value_or(std::pow(influence.rank_correlation.value_or(0), 2));
}

StudySample read_sample(const std::filesystem::path& table, const StudyColumns& columns, long runs,
                        long block) {
  StudySample sample;
  const auto width = std::ssize(columns.parameters) + std::ssize(columns.kept);
  sample.stride = (runs * width + most_numbers - 1) / most_numbers;
  sample.stride = std::max(sample.stride, 1L);
  sample.parameters.resize(columns.parameters.size());
  sample.kept.resize(columns.kept.size());
  for_each_row(table, columns, [&](const StudyRow& row) {
    if ((row.run / block) % sample.stride != 0) return;  // whole blocks
    sample.runs.push_back(row.run);
    for (size_t i = 0; i < row.parameters.size(); ++i)
      sample.parameters[i].push_back(parse_number(row.parameters[i]));
    for (size_t i = 0; i < row.kept.size(); ++i) sample.kept[i].push_back(row.kept[i]);
  });
  return sample;
}

StudySummary summarize(const std::filesystem::path& table, const StudyColumns& columns,
                       const Sampling& sampling, const std::vector<Condition>& within) {
  StudySummary summary;
  for (const std::string& key : columns.kept)
    summary.kept.push_back({.key = key, .worst_is_largest = is_worse_when_larger(key, within)});
  const bool has_blocks = sampling.kind() == SamplingKind::saltelli;
  const long block = has_blocks ? saltelli_block(sampling.dimensions()) : 1;
  const Independent independent{block};
  count_rows(table, columns, independent, within, summary);
  const StudySample sample = read_sample(table, columns, summary.runs, block);
  summary.stride = sample.stride;
  for (size_t k = 0; k < summary.kept.size(); ++k) {
    KeptSummary& kept = summary.kept[k];
    std::vector<double> sorted;
    for (size_t i = 0; i < sample.runs.size(); ++i)
      if (sample.kept[k][i] && independent(sample.runs[i])) sorted.push_back(*sample.kept[k][i]);
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty())
      for (const double share : quantile_shares)
        kept.quantiles.push_back(quantile_of(sorted, share));
    for (size_t i = 0; i < columns.parameters.size(); ++i)
      kept.influences.push_back(
          rank_influence(columns.parameters[i], sample.parameters[i], sample.kept[k]));
    // what is varied alone explains everything; bins would say a little less
    if (kept.influences.size() == 1 && kept.influences[0].rank_correlation &&
        kept.moments.variance() > 0)
      kept.influences[0].variance_share = 1;
    if (!has_blocks) continue;
    if (const auto indices = sobol_indices(sample.kept[k], sampling.dimensions(), sampling.seed()))
      for (size_t i = 0; i < kept.influences.size(); ++i)
        kept.influences[i].sobol = indices->of_parameter[i];
  }
  return summary;
}

}  // namespace tauflex
