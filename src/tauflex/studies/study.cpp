#include "tauflex/studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "tauflex/base/checksum.hpp"
#include "tauflex/base/read_fields.hpp"
#include "tauflex/base/table.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/base/yaml_text.hpp"
#include "tauflex/jobs/job.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

// A number of runs: whole, 1 or more; how many are too many is said by Sampling.
long read_count(const Node& node, const Range& range) {
  const double count = node.number();
  if (count != std::floor(count) || !range.contains(count))
    node.fail(
        fmt::format("expected how many, a whole number of 1 or more, got {}", shown(node.text())));
  return static_cast<long>(std::min(count, 1e15));
}

// One parameter per column of a table of points.
std::vector<Parameter> read_table_parameters(const Node& file, const Node& job) {
  const Table table = read_table(file.folder() / file.text());
  if (table.values.rows() == 0) file.fail("the table has no rows, so that there are no runs");
  std::vector<Parameter> parameters;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const auto column = table.values.col(static_cast<Eigen::Index>(i));
    Distribution numbers{.kind = Distribution::Kind::column,
                         .column = {column.begin(), column.end()},
                         .together = true};
    for (Parameter& parameter : read_parameter(job, table.columns[i], file, std::move(numbers)))
      parameters.push_back(std::move(parameter));
  }
  require_different_places(parameters, file);
  return parameters;
}

void read_sampling(const Node& study, Study& result) {
  const Node node = study.at("sampling");
  std::string kind = node.is_text() ? node.text() : "";
  long size = 0;
  const std::vector<Field> fields = sampling_fields(size);
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.key);
  if (node.is_map()) {
    node.allow(names);
    if (node.size() != 1) node.fail("expected one of " + either(names));
    kind = node.keys().front();
  }
  const int index = index_of(kind, names);
  if (index < 0 || (node.is_text() && kind != "grid"))
    node.fail(
        fmt::format("expected grid, {{sobol: 1000}}, {{random: 1000}}, {{latin_hypercube: 1000}}, "
                    "{{saltelli: 1000}} or {{table: points.csv}}{}",
                    node.is_text() ? ", got '" + shown(node.text()) + "'" : ""));
  if (kind == "table") {
    if (const auto vary = study.find("vary"))
      vary->fail("cannot be given together with a table of points, whose columns say what varies");
    result.parameters = read_table_parameters(node.at(kind), result.job);
    size = static_cast<long>(result.parameters.front().distribution.column.size());
  } else {
    result.parameters = read_parameters(study.at("vary"), result.job);
    if (node.is_map()) size = read_count(node.at(kind), fields[index].range);
  }
  std::vector<Distribution> distributions;
  for (const Parameter& parameter : result.parameters)
    distributions.push_back(parameter.distribution);
  result.sampling.emplace(static_cast<SamplingKind>(index), size,
                          static_cast<std::uint64_t>(result.seed), std::move(distributions), node);
}

void read_records(const Node& records, Study& result) {
  records.at("worst");
  read_fields(records, result.record_fields());
  result.worst_by = records.has("by") ? records.at("by").text() : "";
}

Node read_study_job(const Node& study, std::string& name) {
  const Node job = study.at("job");
  if (!job.is_text()) {
    if (!job.is_map()) job.fail("expected a job file, or a job");
    Node own = job.copy();
    own.set("tauflex", job.at("tauflex"));  // its paths are now those of a file of its own
    return read_job_node(std::move(own));
  }
  const fs::path path = job.folder() / job.text();
  name = job_name(path);
  return read_job_node(path);
}

DesignQuestion read_design(const Node& node, const Node& job) {
  DesignQuestion question;
  read_fields(node, question.fields());
  if (node.has("smallest") == node.has("largest"))
    node.fail("expected one of smallest and largest: the key of the job that is looked for");
  question.smallest = node.has("smallest");
  const Node wanted = node.at(question.smallest ? "smallest" : "largest");
  const auto add = [&](const std::string& key, const Node& where, const Node& bounds) {
    if (!bounds.is_list() || bounds.size() != 2) bounds.fail("expected a list of 2 numbers");
    const StatedNumber from = read_stated_number(bounds[0]), to = read_stated_number(bounds[1]);
    if (from.by != to.by || !(from.number < to.number))
      bounds.fail(fmt::format("expected two factors or two numbers, the smaller first; got {}, {}",
                              bounds[0].text(), bounds[1].text()));
    for (Parameter& parameter : read_parameter(
             job, key, where, {.by = from.by, .a = from.number, .b = to.number, .together = true}))
      question.parameters.push_back(std::move(parameter));
  };
  if (wanted.is_map())
    for (const std::string& key : wanted.keys()) add(key, wanted.at(key), wanted.at(key));
  else
    add(wanted.text(), wanted, node.at("between"));
  if (wanted.is_map() && node.has("between"))
    node.at("between").fail("every key has its own bounds; leave this out");
  require_different_places(question.parameters, wanted);
  question.where = read_conditions(node.at("where"));
  return question;
}

// Where each key of record.json stands that the study asks for.
void note_places(const Node& node, Study& study) {
  const auto note = [&](const std::string& key, const Node& where) {
    study.asked_at.emplace(key, where.where() + ": " + where.path());
  };
  const auto note_conditions = [&](const std::vector<Condition>& conditions, const Node& where) {
    for (const Condition& condition : conditions) note(condition.key, where);
  };
  for (const std::string& key : study.keep) note(key, node.at("keep"));
  if (!study.within.empty()) note_conditions(study.within, node.at("within"));
  if (!study.worst_by.empty()) note(study.worst_by, node.at("records").at("by"));
  if (study.design) note_conditions(study.design->where, node.at("design").at("where"));
}

// Files that the job names, robots in them: their content is part of the study.
void add_files(const Node& node, std::set<std::string>& lines) {
  for (const std::string& key : node.keys()) add_files(node.at(key), lines);
  if (!node.is_text() || node.text().find('.') == std::string::npos || node.text().size() > 4096)
    return;
  std::error_code error;
  const fs::path path = node.folder() / node.text();
  if (!fs::is_regular_file(path, error)) return;
  std::ifstream file(path, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  lines.insert(fmt::format("# file {}: {} bytes, checksum {:08x}\n", node.text(), content.size(),
                           checksum(content)));
}

std::string understood(const Node& file, const Study& study) {
  Node whole = file.copy();
  whole.set("study.job", study.job);
  std::set<std::string> files;
  add_files(whole, files);
  for (const Parameter& parameter : study.parameters)
    for (const Node& choice : parameter.distribution.choices) add_files(choice, files);
  std::string text = fmt::format("# A study as tauflex {} understood it.\n", version());
  for (const std::string& line : files) text += line;
  return text + yaml_text(whole);
}

}  // namespace

std::vector<Field> DesignQuestion::fields() {
  using namespace describe;
  return {read_elsewhere("smallest", "key of the job, or keys with their bounds"),
          read_elsewhere("largest", "key of the job, or keys with their bounds"),
          read_elsewhere("between", "bounds: [x0.1, x10] or [0, 150]"),
          read_elsewhere("where", "what is kept: 'verification.max_tool_error_m < 1e-4', limits"),
          integer("looks", looks, within(3, 1000), "points between the bounds before the search"),
          number("tolerance", tolerance, between(0, 1), "", "of the answer, relative")};
}

std::vector<Field> Study::fields() {
  using namespace describe;
  return {read_elsewhere("job", "a job file beside this one, or the job itself"),
          integer("seed", seed, at_least(0), "of all random numbers"),
          read_elsewhere("sampling", "which points are looked at"),
          read_elsewhere("vary", "keys of the job and what they may be"),
          names("keep", keep, "numbers of record.json that are kept of each run, by their keys")
              .if_left_out("errors of the tool, peaks of torques, the least margin"),
          read_elsewhere("within",
                         "conditions of the yield: verification.max_tool_error_m < 1e-4, "
                         "or limits"),
          read_elsewhere("records", "whole results of the worst runs"),
          read_elsewhere("design", "the smallest or largest value that keeps a condition")};
}

std::vector<Field> Study::record_fields() {
  using namespace describe;
  return {integer("worst", worst, describe::within(1, 1000), "how many of them"),
          read_elsewhere("by", "key of record.json; left out: the first that is kept")};
}

Study read_study(Node file, const std::string& name, const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides) file.set(assignment);
  if (!file.is_map() || !file.has("study"))
    file.fail(file.is_map() && (file.has("robot") || file.has("task"))
                  ? "this is a job, not a study; a study has the key 'study', which names a job "
                    "and what varies"
                  : "expected a study file: tauflex: 1, study: {job: .., sampling: .., vary: ..}");
  file.allow({"tauflex", "study"});
  if (file.at("tauflex").integer() != 1)
    file.at("tauflex").fail("this program reads study files of format 1, got " +
                            file.at("tauflex").text());
  const Node node = file.at("study");
  Study study{.name = name, .job_name = name, .job = node};
  read_fields(node, study.fields());
  study.job = read_study_job(node, study.job_name);
  if (node.has("sampling") || node.has("vary") || !node.has("design")) read_sampling(node, study);
  if (const auto keep = node.find("keep"); keep && study.keep.empty())
    keep->fail("expected a list of keys of record.json, as in [verification.max_tool_error_m]");
  if (const auto within = node.find("within")) study.within = read_conditions(*within);
  if (const auto records = node.find("records")) read_records(*records, study);
  if (const auto design = node.find("design")) study.design = read_design(*design, study.job);
  note_places(node, study);
  study.text = understood(file, study);
  return study;
}

Study read_study(const fs::path& path, const std::vector<std::string>& overrides) {
  return read_study(Node::read_file(path), job_name(path), overrides);
}

}  // namespace tauflex
