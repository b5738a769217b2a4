#include "tauflex/report/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/results/record_numbers.hpp"

namespace tauflex {

namespace {

std::string influence_line(const Influence& influence) {
  if (influence.sobol)
    return fmt::format(
        "    {:<52} {:5.1f} % alone ({:.1f} .. {:.1f}), {:5.1f} % in all ({:.1f} .. {:.1f})\n",
        printable(influence.parameter), 100 * influence.sobol->first,
        100 * influence.sobol->first_interval.low, 100 * influence.sobol->first_interval.high,
        100 * influence.sobol->total, 100 * influence.sobol->total_interval.low,
        100 * influence.sobol->total_interval.high);
  const std::string share =
      influence.variance_share
          ? fmt::format("{:5.1f} %", 100 * std::max(0.0, *influence.variance_share))
          : "      -";
  return fmt::format("    {:<52} {}       {:+.2f} ({:+.2f} .. {:+.2f})\n",
                     printable(influence.parameter), share, *influence.rank_correlation,
                     influence.rank_interval.low, influence.rank_interval.high);
}

std::string kept_text(const KeptSummary& kept, const std::optional<double>& nominal,
                      const StudyColumns& columns) {
  std::string text = fmt::format("  {}\n", printable(kept.key));
  if (kept.moments.count() == 0) return text + "    no run has this number\n";
  if (nominal) text += fmt::format("    as the job has it   {:.3g}\n", *nominal);
  text += fmt::format("    mean                {:.3g}, standard deviation {:.3g}\n",
                      kept.moments.mean(), kept.moments.deviation());
  if (!kept.quantiles.empty())
    text += fmt::format("    quantiles           5 % {:.3g}, 50 % {:.3g}, 95 % {:.3g}\n",
                        kept.quantiles[1], kept.quantiles[3], kept.quantiles[5]);
  text +=
      fmt::format("    from {:.3g} to {:.3g}, the {} in run {}:", kept.moments.least(),
                  kept.moments.most(), kept.worst_is_largest ? "largest" : "least", kept.worst.run);
  for (size_t i = 0; i < columns.parameters.size(); ++i)
    text += fmt::format("\n      {:<50} {}", printable(columns.parameters[i]),
                        printable(kept.worst.parameters[i]));
  std::vector<Influence> strongest;
  for (const Influence& influence : kept.influences)
    if (influence.sobol || influence.rank_correlation) strongest.push_back(influence);
  if (strongest.empty()) return text + "\n";
  std::stable_sort(strongest.begin(), strongest.end(), [](const Influence& a, const Influence& b) {
    return importance(a) > importance(b);
  });
  text +=
      strongest.front().sobol
          ? "\n    what matters (share of the variance, 95 % confidence):\n"
          : "\n    what matters: share of the variance alone, rank correlation (95 % confidence)\n";
  for (size_t i = 0; i < std::min<size_t>(strongest.size(), 8); ++i)
    text += influence_line(strongest[i]);
  if (strongest.size() > 8)
    text +=
        fmt::format("    and {} that matter less; all are in summary.json\n", strongest.size() - 8);
  return text;
}

}  // namespace

std::string sweep_text(const Study& study, const VariedJob& job, const Sweep& sweep) {
  const StudySummary& summary = *sweep.summary;
  std::string text = fmt::format(
      "{}: {} of {}, {} ({}){}\n", printable(study.name), counted(summary.runs, "run"),
      printable(study.job_name), counted(sweep.columns.parameters.size(), "parameter"),
      name(study.sampling->kind()), job.solves_once() ? ", one solution on many plants" : "");
  if (summary.failed > 0)
    text += fmt::format("  {} without an answer, the first: {}\n", counted(summary.failed, "run"),
                        printable(summary.first_failure));
  const auto nominal = record_numbers(job.nominal(), sweep.columns.kept);
  for (size_t i = 0; i < summary.kept.size(); ++i)
    text += kept_text(summary.kept[i], nominal[i], sweep.columns);
  if (summary.yield) {
    std::vector<std::string> conditions;
    for (const Condition& condition : study.within) conditions.push_back(condition.text);
    text += fmt::format(
        "  yield                 {:.1f} % keep {} (95 % confidence: {:.1f} .. {:.1f} %)\n",
        100 * summary.yield->share(), printable(join(conditions, " and ")),
        100 * summary.yield->interval.low, 100 * summary.yield->interval.high);
  }
  return text;
}

}  // namespace tauflex
