#include "tauflex/studies/varied_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/text.hpp"
#include "tauflex/results/record_limits.hpp"
#include "tauflex/results/record_numbers.hpp"

namespace tauflex {

VariedJob::VariedJob(Node job, std::string name, std::vector<Parameter> parameters,
                     std::vector<std::string> keys, const std::vector<std::string>& more,
                     Until until, const StageProgress& progress,
                     const std::map<std::string, std::string>& asked_at)
    : node_(std::move(job)),
      name_(std::move(name)),
      parameters_(std::move(parameters)),
      keys_(more),
      until_(until),
      job_(read_job(node_.copy(), name_)) {
  if (!job_.has_task())
    throw InputError(name_ + ": a study needs a job with a task; this one only simulates");
  const bool usual = keys.empty();
  keys_.insert(keys_.begin(), keys.begin(), keys.end());
  job_.rigid = job_.rigid && wants("rigid");
  nominal_ = run(job_, until_, progress);
  if (is_of_plant() && nominal_->solution.status != Status::solved &&
      nominal_->solution.status != Status::interrupted)
    throw ProblemError(fmt::format("{}: there are no torques that plants could be given: {}", name_,
                                   nominal_->solution.message));
  if (usual)
    for (const std::string& key : usual_keys()) keys.push_back(key);
  keys_ = std::move(keys);
  for (const std::string& key : more)
    if (index_of(key, keys_) < 0) keys_.push_back(key);
  require_keys(asked_at);
  if (!is_of_plant() || wants("rigid") || until_ != Until::verified || !nominal_->verification)
    return;
  const auto changes = node_.find_path("verification.plant");
  plant_changes_ =
      changes && changes->is_map() ? changes->copy() : Node::read_text("{}", "verification.plant");
  plant_changes_->set("x=0");  // its paths are now its own
  plant_changes_->remove("x");
  posed_ = plan(job_);
  problem_ = posed_->problem.with_window(nominal_->solution.window);
}

VariedJob::~VariedJob() = default;

bool VariedJob::is_of_plant() const {
  return std::all_of(parameters_.begin(), parameters_.end(),
                     [](const Parameter& parameter) { return parameter.is_of_plant(); });
}

bool VariedJob::wants(const std::string& section) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const std::string& key) { return key.starts_with(section + "."); });
}

std::vector<std::string> VariedJob::usual_keys() const {
  std::vector<std::string> candidates = {"verification.max_tool_error_m",
                                         "verification.max_orientation_error_rad",
                                         "verification.max_force_error_N"};
  if (!is_of_plant())
    for (const std::string& drive : nominal_->robot.actuation().names)
      candidates.push_back("solution.peak_torque." + drive);
  candidates.emplace_back("solution.least_margin");
  const auto numbers = record_numbers(*nominal_, candidates);
  std::vector<std::string> keys;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (numbers[i]) keys.push_back(candidates[i]);
  if (keys.empty()) keys = {candidates.front()};  // the job as it stands has no answer
  return keys;
}

void VariedJob::require_keys(const std::map<std::string, std::string>& asked_at) const {
  static const std::vector<std::string> sections = {"diagnosis", "internal",     "solution",
                                                    "ringing",   "verification", "rigid"};
  const std::vector<std::string> known =
      nominal_->has_motion() ? number_keys(*nominal_) : std::vector<std::string>{};
  for (const std::string& key : keys_) {
    const std::string section = key.substr(0, key.find('.'));
    const bool is_whole = index_of(section, known) >= 0;  // null in this record
    if (index_of(section, sections) >= 0 && key.size() > section.size() &&
        (known.empty() || is_whole || index_of(key, known) >= 0))
      continue;
    const auto place = asked_at.find(key);
    throw InputError(fmt::format("{}: the record of {} has no number '{}'{}",
                                 place == asked_at.end() ? name_ : place->second, name_, shown(key),
                                 did_you_mean(key, known)));
  }
}

Node VariedJob::job_node(const std::vector<DrawnValue>& values) const {
  Node node = node_.copy();
  for (size_t i = 0; i < parameters_.size(); ++i) parameters_[i].apply(values[i], node);
  return node;
}

Job VariedJob::job(const std::vector<DrawnValue>& values) const {
  Job made = read_job(job_node(values), name_);
  made.rigid = made.rigid && wants("rigid");
  return made;
}

StudyRow VariedJob::row(const std::vector<DrawnValue>& values, const Progress& progress) const {
  StudyRow row;
  for (size_t i = 0; i < parameters_.size(); ++i)
    row.parameters.push_back(parameters_[i].text(values[i]));
  row.kept.resize(keys_.size());
  try {
    if (solves_once())
      run_on_plant(values, progress, row);
    else
      run_all(values, progress, row);
  } catch (const Error& error) {
    row.status = error.code() == ExitCode::not_solvable ? "not_solvable" : "invalid_input";
    row.code = error.code();
    row.message = error.what();
  } catch (const std::exception& error) {
    row.status = "failed";
    row.code = ExitCode::not_converged;
    row.message = error.what();
  }
  return row;
}

void VariedJob::run_all(const std::vector<DrawnValue>& values, const Progress& progress,
                        StudyRow& row) const {
  const StageProgress stages = [&](const char*, double fraction) {
    return !progress || progress(fraction);
  };
  take(run(job(values), until_, stages), row);
}

void VariedJob::run_on_plant(const std::vector<DrawnValue>& values, const Progress& progress,
                             StudyRow& row) const {
  Node changes = plant_changes_->copy();
  for (size_t i = 0; i < parameters_.size(); ++i) parameters_[i].apply_to_plant(values[i], changes);
  std::unique_ptr<Record> record = borrow();
  read_plant(node_.at("robot"), changes, record->job);
  record->verification = prove(plant_on(record->job, posed_->problem, posed_->start), *problem_,
                               nominal_->solution, job_.verification, progress);
  if (wants("solution")) record->limits = sent_limits(*record);
  take(*record, row);
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(record));
}

std::unique_ptr<Record> VariedJob::borrow() const {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::make_unique<Record>(*nominal_);
  std::unique_ptr<Record> record = std::move(spare_.back());
  spare_.pop_back();
  return record;
}

void VariedJob::take(const Record& record, StudyRow& row) const {
  const bool proved = record.solution.status == Status::solved && record.verification;
  row.status = name(proved ? record.verification->status : record.solution.status);
  row.code = record.exit_code();
  row.message = proved ? record.verification->message : record.solution.message;
  row.kept = record_numbers(record, keys_);
  if (row.has_answer()) return;
  // What a run without an answer computed on its way is no result.
  for (size_t i = 0; i < keys_.size(); ++i)
    if (!keys_[i].starts_with("diagnosis.")) row.kept[i].reset();
}

}  // namespace tauflex
