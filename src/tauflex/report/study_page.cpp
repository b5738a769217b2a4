#include "tauflex/report/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/text.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/report/sweep_json.hpp"

namespace tauflex {

namespace {

using StudyJson = nlohmann::ordered_json;

// Runs that the page draws one by one, evenly spaced among all.
constexpr size_t most_drawn = 3000;
constexpr int histogram_bins = 32;

// A number that is drawn: six digits.
StudyJson drawn(const std::optional<double>& number) {
  if (!number || !std::isfinite(*number)) return nullptr;
  return *parse_number(fmt::format("{:.6g}", *number));
}

// What stands in the job as it is: a number or a text, null where a group has several.
StudyJson nominal_value(const Parameter& parameter) {
  const Distribution& distribution = parameter.distribution;
  if (!distribution.is_choice() && distribution.by != ChangeBy::value) {
    const double unchanged = distribution.by == ChangeBy::factor ? 1 : 0;
    return drawn(parse_number(parameter.text({.number = unchanged})));
  }
  if (parameter.places.size() != 1) return nullptr;
  const std::optional<Node>& base = parameter.places.front().base;
  if (!base || !base->is_text()) return nullptr;
  const auto number = parse_number(base->text());
  return number ? drawn(number) : StudyJson(base->text());
}

// How many of all runs lie in each of some equal intervals between the least and the largest.
StudyJson histogram_counts(const KeptSummary& kept,
                           const std::vector<std::optional<double>>& numbers) {
  if (!(kept.moments.most() > kept.moments.least())) return StudyJson::array();
  const double least = kept.moments.least(), width = kept.moments.most() - least;
  std::vector<long> counts(histogram_bins);
  for (const auto& number : numbers)
    if (number)
      ++counts[static_cast<size_t>(std::clamp(
          static_cast<int>((*number - least) / width * histogram_bins), 0, histogram_bins - 1))];
  return counts;
}

// Rows that are drawn: the places in the sample.
std::vector<size_t> drawn_rows(const StudySample& sample, const std::vector<long>& worst) {
  const size_t count = sample.runs.size();
  const size_t step = std::max<size_t>(1, (count + most_drawn - 1) / most_drawn);
  std::vector<size_t> rows;
  for (size_t i = 0; i < count; ++i)
    if (i % step == 0 || (!worst.empty() && sample.runs[i] == worst.front())) rows.push_back(i);
  return rows;
}

StudyJson columns_json(const std::vector<std::vector<std::optional<double>>>& columns,
                       const std::vector<size_t>& rows) {
  StudyJson json = StudyJson::array();
  for (const auto& column : columns) {
    StudyJson numbers = StudyJson::array();
    for (const size_t i : rows) numbers.push_back(drawn(column[i]));
    json.push_back(std::move(numbers));
  }
  return json;
}

// Of parameters that are no numbers, the texts that were drawn.
void add_texts(const std::filesystem::path& table, const StudyColumns& columns,
               const std::vector<long>& runs, StudyJson& parameters) {
  size_t at = 0;
  for_each_row(table, columns, [&](const StudyRow& row) {
    if (at >= runs.size() || row.run != runs[at]) return;
    for (size_t i = 0; i < row.parameters.size(); ++i)
      if (parameters[i][at].is_null()) parameters[i][at] = printable(row.parameters[i]);
    ++at;
  });
}

// What web/src/study_data.ts reads.
std::string page_data(const Study& study, const VariedJob& job, const Sweep& sweep,
                      const std::filesystem::path& table) {
  const StudySummary& summary = *sweep.summary;
  const StudySample sample = read_sample(table, sweep.columns, summary.runs);
  const std::vector<size_t> rows = drawn_rows(sample, sweep.worst);
  std::vector<long> runs;
  for (const size_t i : rows) runs.push_back(sample.runs[i]);
  StudyJson json = {
      {"study", StudyJson::parse(sweep_json(study, job, sweep))},
      {"headline", study_headline(summary)},
      {"sentences", study_sentences(study, job, sweep)},
      {"records", study.worst},
      {"worst_by", study.worst_by.empty() ? summary.kept.front().key : study.worst_by},
      {"runs", runs},
      {"parameters", columns_json(sample.parameters, rows)},
      {"nominal", StudyJson::array()},
      {"kept", columns_json(sample.kept, rows)},
      {"histograms", StudyJson::array()},
      {"bounds", StudyJson::array()}};
  add_texts(table, sweep.columns, runs, json["parameters"]);
  for (const Parameter& parameter : job.parameters())
    json["nominal"].push_back(nominal_value(parameter));
  for (size_t i = 0; i < summary.kept.size(); ++i)
    json["histograms"].push_back(histogram_counts(summary.kept[i], sample.kept[i]));
  for (const Condition& condition : study.within)
    json["bounds"].push_back(
        {{"key", condition.key}, {"value", condition.bound}, {"text", condition.text}});
  return json.dump(-1, ' ', false, StudyJson::error_handler_t::replace);
}

// Without the comparison with rigid torques, which is another question.
std::string scene_of(Record record, const std::string& name) {
  record.rigid.reset();
  ResultPage page = result_page(record);
  page.job = name;
  page.job_text.clear();
  return scene_json(page);
}

}  // namespace

std::string study_headline(const StudySummary& summary) {
  if (summary.yield) return fmt::format("Yield {:.1f} %", 100 * summary.yield->share());
  return counted(summary.runs, "run");
}

std::vector<std::string> study_sentences(const Study& study, const VariedJob& job,
                                         const Sweep& sweep) {
  const StudySummary& summary = *sweep.summary;
  std::vector<std::string> sentences;
  if (summary.yield) {
    std::vector<std::string> words;
    for (const Condition& condition : study.within) words.push_back(condition.text);
    sentences.push_back(fmt::format(
        "{} of {} runs keep {}; with 95 % confidence {:.1f} to {:.1f} % of all such robots do.",
        summary.yield->kept, summary.yield->count, join(words, " and "),
        100 * summary.yield->interval.low, 100 * summary.yield->interval.high));
  }
  sentences.push_back(fmt::format("{} of the job {}, {}{}.", counted(summary.runs, "run"),
                                  study.job_name,
                                  counted(sweep.columns.parameters.size(), "parameter"),
                                  job.solves_once() ? ", one solution on many plants" : ""));
  if (summary.failed > 0)
    sentences.push_back(counted(summary.failed, "run") + " without an answer.");
  return sentences;
}

std::string study_page(const Study& study, const VariedJob& job, const Sweep& sweep,
                       const std::filesystem::path& table, const std::optional<Record>& worst) {
  if (!has_page_program()) return plain_study_page(study, job, sweep, table);
  std::vector<std::string> blocks = {page_data(study, job, sweep, table)};
  if (worst) blocks.push_back(scene_of(*worst, fmt::format("run {}", sweep.worst.front())));
  if (worst && job.nominal().has_motion())
    blocks.push_back(scene_of(job.nominal(), "as the job has it"));
  return html_report(blocks);
}

}  // namespace tauflex
