#include "tauflex/report/sweep_json.hpp"

#include <nlohmann/json.hpp>

#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/results/record_numbers.hpp"

namespace tauflex {

namespace {

using SweepJson = nlohmann::ordered_json;

SweepJson interval_json(const Interval& interval) { return {interval.low, interval.high}; }

// A value of a parameter: a number where it is one.
SweepJson value_json(const std::string& text) {
  const auto number = parse_number(text);
  return number ? SweepJson(*number) : SweepJson(text);
}

SweepJson influence_json(const Influence& influence) {
  SweepJson json = {{"parameter", influence.parameter}, {"rank_correlation", nullptr}};
  if (influence.rank_correlation) {
    json["rank_correlation"] = *influence.rank_correlation;
    if (influence.variance_share) json["variance_share"] = *influence.variance_share;
    json["rank_correlation_95"] = interval_json(influence.rank_interval);
  }
  if (influence.sobol) {
    json["first_order"] = influence.sobol->first;
    json["first_order_95"] = interval_json(influence.sobol->first_interval);
    json["total"] = influence.sobol->total;
    json["total_95"] = interval_json(influence.sobol->total_interval);
  }
  return json;
}

SweepJson kept_json(const KeptSummary& kept, const std::optional<double>& nominal,
                    const StudyColumns& columns) {
  SweepJson json = {{"key", kept.key},
                    {"nominal", nominal ? SweepJson(*nominal) : SweepJson(nullptr)},
                    {"count", kept.moments.count()}};
  if (kept.moments.count() == 0) return json;
  json["mean"] = kept.moments.mean();
  json["standard_deviation"] = kept.moments.deviation();
  json["least"] = kept.moments.least();
  json["largest"] = kept.moments.most();
  json["quantiles"] = SweepJson::array();
  for (size_t i = 0; i < kept.quantiles.size(); ++i)
    json["quantiles"].push_back({quantile_shares[i], kept.quantiles[i]});
  json["worst"] = {{"is", kept.worst_is_largest ? "largest" : "least"},
                   {"run", kept.worst.run},
                   {"value", kept.worst_is_largest ? kept.moments.most() : kept.moments.least()},
                   {"parameters", SweepJson::object()}};
  for (size_t i = 0; i < columns.parameters.size(); ++i)
    json["worst"]["parameters"][columns.parameters[i]] = value_json(kept.worst.parameters[i]);
  json["influences"] = SweepJson::array();
  for (const Influence& influence : kept.influences)
    json["influences"].push_back(influence_json(influence));
  return json;
}

}  // namespace

std::string sweep_json(const Study& study, const VariedJob& job, const Sweep& sweep) {
  const StudySummary& summary = *sweep.summary;
  SweepJson json = {{"format", 1},
                    {"version", version()},
                    {"study", study.name},
                    {"job", study.job_name},
                    {"sampling", name(study.sampling->kind())},
                    {"seed", study.sampling->seed()},
                    {"solved_once", job.solves_once()},
                    {"runs", summary.runs},
                    {"failed", summary.failed},
                    {"first_failure", summary.first_failure},
                    {"statuses", summary.by_status},
                    {"parameters", sweep.columns.parameters},
                    {"yield", nullptr},
                    {"every", summary.stride},
                    {"worst_runs", sweep.worst}};
  if (summary.yield) {
    std::vector<std::string> conditions;
    for (const Condition& condition : study.within) conditions.push_back(condition.text);
    json["yield"] = {{"within", conditions},
                     {"kept", summary.yield->kept},
                     {"share", summary.yield->share()},
                     {"share_95", interval_json(summary.yield->interval)}};
  }
  const auto nominal = record_numbers(job.nominal(), sweep.columns.kept);
  json["kept"] = SweepJson::array();
  for (size_t i = 0; i < summary.kept.size(); ++i)
    json["kept"].push_back(kept_json(summary.kept[i], nominal[i], sweep.columns));
  return json.dump(2, ' ', false, SweepJson::error_handler_t::replace) + "\n";
}

}  // namespace tauflex
