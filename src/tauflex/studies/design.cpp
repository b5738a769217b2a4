#include "tauflex/studies/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

struct DesignStopped {};

// Between the bounds of a distribution: 0 is the better end, 1 the safer one.
double value_between(const Distribution& bounds, bool smallest, double position) {
  const double a = smallest ? bounds.a : bounds.b, b = smallest ? bounds.b : bounds.a;
  const bool by_ratio = bounds.a > 0 && bounds.b >= 4 * bounds.a;
  return by_ratio ? a * std::pow(b / a, position) : a + position * (b - a);
}

std::vector<std::string> keys_of(const std::vector<Condition>& conditions) {
  std::vector<std::string> keys;
  for (const Condition& condition : conditions)
    if (index_of(condition.key, keys) < 0) keys.push_back(condition.key);
  return keys;
}

// Torques alone answer what does not ask for the proof; the answer is proved in any case.
Until until_of(const std::vector<std::string>& keys) {
  const bool solved = std::all_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key.starts_with("solution.") || key.starts_with("diagnosis.");
  });
  return solved ? Until::solved : Until::verified;
}

class DesignSearch {
 public:
  DesignSearch(const DesignQuestion& question, const VariedJob& job, Engine& engine,
               const StageProgress& progress, Design& result)
      : question_(question), job_(job), engine_(engine), progress_(progress), result_(result) {}

  void search() {
    std::vector<double> positions(question_.parameters.size());
    std::fill(positions.begin(), positions.end(), common_position());
    if (positions.size() > 1)
      for (size_t i = 0; i < positions.size(); ++i) improve(positions, i);
  }

 private:
  std::vector<double> values_at(const std::vector<double>& positions) const {
    std::vector<double> values;
    for (size_t i = 0; i < positions.size(); ++i)
      values.push_back(
          value_between(question_.parameters[i].distribution, question_.smallest, positions[i]));
    return values;
  }

  // Trials at several points, at the same time where the engine has threads.
  std::vector<DesignTrial> trials_at(const std::vector<std::vector<double>>& points) {
    std::vector<DesignTrial> made(points.size());
    size_t given = 0;
    const Progress heard = [&](double) { return !progress_ || progress_("design", 0.5); };
    engine_.make({.next = [&] { return given < points.size() ? static_cast<long>(given++) : -1L; },
                  .work =
                      [&](long i) {
                        made[i] = trial_at(points[i], heard);
                        return std::string();
                      },
                  .take = {}});
    for (DesignTrial& trial : made) {
      if (trial.row.status == name(Status::interrupted)) throw DesignStopped();
      trial.row.run = std::ssize(result_.trials);
      result_.trials.push_back(trial);
    }
    return made;
  }

  DesignTrial trial_at(const std::vector<double>& positions, const Progress& progress) const {
    DesignTrial trial{.values = values_at(positions), .row = {}};
    std::vector<DrawnValue> drawn;
    for (const double value : trial.values) drawn.push_back({.number = value});
    trial.row = job_.row(drawn, progress);
    trial.keeps = trial.row.has_answer();
    for (const Condition& condition : question_.where)
      trial.keeps =
          trial.keeps && condition.keeps(trial.row.kept[index_of(condition.key, job_.keys())]);
    return trial;
  }

  bool keeps_at(const std::vector<double>& positions) {
    const DesignTrial trial = trials_at({positions}).front();
    if (trial.keeps) result_.found = trial;
    return trial.keeps;
  }

  std::vector<double> all_at(double position) const {
    return std::vector<double>(question_.parameters.size(), position);
  }

  // Until values differ by no more than the tolerance of the safer one.
  bool is_narrow(double low, double high, size_t parameter) const {
    const Distribution& bounds = question_.parameters[parameter].distribution;
    const double a = value_between(bounds, question_.smallest, low);
    const double b = value_between(bounds, question_.smallest, high);
    const double size =
        std::max(std::abs(b), 1e-3 * std::max(std::abs(bounds.a), std::abs(bounds.b)));
    return std::abs(b - a) <= question_.tolerance * size;
  }

  // Halves between a position that does not keep the condition and one that does.
  template <class Keeps>
  double narrowed(double low, double high, size_t parameter, const Keeps& keeps) {
    while (!is_narrow(low, high, parameter)) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (keeps(middle) ? high : low) = middle;
    }
    return high;
  }

  double common_position() {
    std::vector<std::vector<double>> points;
    for (int i = 0; i < question_.looks; ++i)
      points.push_back(all_at(static_cast<double>(i) / (question_.looks - 1)));
    const std::vector<DesignTrial> looks = trials_at(points);
    const auto first = std::find_if(looks.begin(), looks.end(),
                                    [](const DesignTrial& trial) { return trial.keeps; });
    if (first == looks.end()) throw_none(looks);
    result_.found = *first;
    if (const auto lost =
            std::find_if(first, looks.end(), [](const DesignTrial& trial) { return !trial.keeps; });
        lost != looks.end())
      result_.notes.push_back(
          fmt::format("the condition is not kept everywhere beyond: not at {}", text_of(*lost)));
    const auto at = first - looks.begin();
    if (at == 0) {
      result_.notes.push_back(
          fmt::format("{} keeps the condition itself; there may be better values beyond this bound",
                      text_of(looks.front())));
      return 0;
    }
    return narrowed(points[at - 1].front(), points[at].front(), 0,
                    [this](double position) { return keeps_at(all_at(position)); });
  }

  void improve(std::vector<double>& positions, size_t i) {
    const auto keeps = [&](double position) {
      std::vector<double> moved = positions;
      moved[i] = position;
      return keeps_at(moved);
    };
    positions[i] = positions[i] == 0 || keeps(0) ? 0 : narrowed(0, positions[i], i, keeps);
  }

  std::string text_of(const DesignTrial& trial) const {
    std::vector<std::string> words;
    for (size_t i = 0; i < trial.values.size(); ++i)
      words.push_back(fmt::format("{} = {:.6g}", question_.parameters[i].name,
                                  parse_number(trial.row.parameters[i]).value_or(trial.values[i])));
    return join(words);
  }

  [[noreturn]] void throw_none(const std::vector<DesignTrial>& looks) const {
    std::vector<std::string> conditions;
    for (const Condition& condition : question_.where) conditions.push_back(condition.text);
    const DesignTrial& last = looks.back();
    std::string why = last.row.message;
    for (size_t i = 0; i < last.row.kept.size(); ++i)
      if (last.row.kept[i]) why = fmt::format("{} is {:.6g}", job_.keys()[i], *last.row.kept[i]);
    throw ProblemError(fmt::format("no value between the bounds keeps {}: at {} {}",
                                   join(conditions, " and "), text_of(last), why));
  }

  const DesignQuestion& question_;
  const VariedJob& job_;
  Engine& engine_;
  const StageProgress& progress_;
  Design& result_;
};

}  // namespace

Design design(const Study& study, Engine& engine, const StageProgress& progress) {
  if (!study.design)
    throw InputError(study.name +
                     ": the study asks for no design; add design: {smallest: .., between: .., "
                     "where: ..}");
  const DesignQuestion& question = *study.design;
  const std::vector<std::string> keys = keys_of(question.where);
  const VariedJob job(study.job.copy(), study.job_name, question.parameters, keys, {},
                      until_of(keys), progress, study.asked_at);
  Design result;
  result.keys = job.keys();
  for (const Parameter& parameter : question.parameters)
    result.parameters.push_back(parameter.name);
  try {
    if (job.nominal().solution.status == Status::interrupted) throw DesignStopped();
    DesignSearch(question, job, engine, progress, result).search();
  } catch (const DesignStopped&) {
    result.status = Status::interrupted;
    return result;
  }
  std::vector<DrawnValue> drawn;
  for (const double value : result.found.values) drawn.push_back({.number = value});
  result.job = job.job_node(drawn);
  result.record = run(read_job(result.job->copy(), study.job_name), Until::verified, progress);
  if (result.record->exit_code() == ExitCode::interrupted) result.status = Status::interrupted;
  return result;
}

}  // namespace tauflex
