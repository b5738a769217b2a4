#include "tauflex/studies/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <sstream>

#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

// The first line in which they differ, as a sentence.
std::string difference(const std::string& before, const std::string& now) {
  std::stringstream old_lines(before), new_lines(now);
  std::string was, is;
  for (int number = 1;; ++number) {
    const bool had = static_cast<bool>(std::getline(old_lines, was));
    const bool has = static_cast<bool>(std::getline(new_lines, is));
    if (!had && !has) return "its end differs";
    if (!had) return fmt::format("line {} is new: '{}'", number, shown(is));
    if (!has) return fmt::format("line {} is gone: '{}'", number, shown(was));
    if (was == is) continue;
    // from a little before the place where they part
    const auto parted = std::mismatch(was.begin(), was.end(), is.begin(), is.end()).first;
    const auto at = static_cast<size_t>(std::max<std::ptrdiff_t>(parted - was.begin() - 20, 0));
    return fmt::format("line {} was '{}' and is '{}'", number, shown(was.substr(at)),
                       shown(is.substr(at)));
  }
}

long count_rows_of(const fs::path& journal) {
  std::ifstream file(journal, std::ios::binary);
  return std::max<long>(std::count(std::istreambuf_iterator<char>(file), {}, '\n') - 1, 0);
}

void start_study(const SweepFolder& folder, const std::string& text) {
  std::error_code error;
  fs::create_directories(folder.path, error);
  if (fs::exists(folder.journal(), error)) return;  // resumed
  if (folder.resume && fs::exists(folder.table(), error)) return;
  for (const fs::path& old : {folder.table(), folder.path / "table.npz",
                              folder.path / "summary.json", folder.path / "study.html"})
    fs::remove(old, error);
  write_text_file(folder.study(), text);
}

// Hands out the runs that have no row yet, in their order.
class Pending {
 public:
  Pending(std::vector<bool> finished) : finished_(std::move(finished)) {
    done_ = std::count(finished_.begin(), finished_.end(), true);
  }
  long next() {
    while (at_ < finished_.size() && finished_[at_]) ++at_;
    return at_ < finished_.size() ? static_cast<long>(at_++) : -1;
  }
  void count() { ++done_; }
  bool all_done() const { return done_ == std::ssize(finished_); }
  double fraction() const {
    return static_cast<double>(done_) / static_cast<double>(finished_.size());
  }

 private:
  std::vector<bool> finished_;
  size_t at_ = 0;
  std::atomic<long> done_ = 0;
};

}  // namespace

void SweepFolder::require_usable(const std::string& text) const {
  std::error_code error;
  const bool has_journal = fs::exists(journal(), error), has_study = fs::exists(study(), error);
  if (has_journal && !resume)
    throw InputError(fmt::format(
        "{}: an unfinished study with {} is there; --resume goes on with it, -o chooses another "
        "folder",
        path.string(), counted(count_rows_of(journal()), "row")));
  if (!has_study)
    for (const fs::path& file : {table(), path / "summary.json", journal()})
      if (fs::exists(file, error))
        throw InputError(
            fmt::format("{}: lies there and is not of an earlier study; move it, or "
                        "choose another folder with -o",
                        file.string()));
  if (!has_study || !resume) return;
  if (const std::string before = content_of(study()); before != text)
    throw InputError(fmt::format(
        "{}: the study has changed since it was begun: {}; start it anew in another folder, or "
        "change it back",
        study().string(), difference(before, text)));
}

bool make_table(const std::string& text, const StudyColumns& columns, long runs,
                const std::function<StudyRow(long, const Progress&)>& work,
                const SweepFolder& folder, Engine& engine, const Progress& progress) {
  std::atomic<double> fraction = 0;
  const Progress of_run = [&](double) { return !progress || progress(fraction); };
  const auto row_text = [&](long run) {
    StudyRow row = work(run, of_run);
    row.run = run;
    return row.status == name(Status::interrupted) ? std::string() : row.text();
  };
  if (!engine.keeps_table()) {
    engine.make({.next = {}, .work = row_text, .take = {}});
    return true;
  }
  std::error_code error;
  if (folder.resume && fs::exists(folder.table(), error) && !fs::exists(folder.journal(), error))
    return true;
  start_study(folder, text);
  bool complete = false;
  {
    Journal journal(folder.journal(), text);
    Pending pending(journal.finished(runs));
    fraction = pending.fraction();
    engine.make({.next = [&] { return of_run(0) ? pending.next() : -1; },
                 .work = row_text,
                 .take =
                     [&](const std::string& row) {
                       journal.append(row);
                       pending.count();
                       fraction = pending.fraction();
                     }});
    complete = pending.all_done();
    if (complete) write_table(journal, columns, runs, folder.table());
  }
  if (complete) fs::remove(folder.journal(), error);
  return complete;
}

VariedJob job_of(const Study& study, const StageProgress& progress) {
  std::vector<std::string> more;
  for (const Condition& condition : study.within) more.push_back(condition.key);
  if (!study.worst_by.empty()) more.push_back(study.worst_by);
  return {study.job.copy(), study.job_name, study.parameters, study.keep, more,
          Until::verified,  progress,       study.asked_at};
}

std::vector<DrawnValue> values_of(const Study& study, long run) {
  std::vector<DrawnValue> values;
  for (int i = 0; i < study.sampling->dimensions(); ++i)
    values.push_back(study.sampling->value(run, i));
  return values;
}

namespace {

// Runs with the worst numbers; failed ones have none.
std::vector<long> worst_runs(const Study& study, const SweepFolder& folder,
                             const StudyColumns& columns) {
  const int by = std::max(0, index_of(study.worst_by, columns.kept));
  const bool larger = is_worse_when_larger(columns.kept[by], study.within);
  const long count = std::max(study.worst, 1L);
  std::vector<std::pair<double, long>> worst;  // worst first
  for_each_row(folder.table(), columns, [&](const StudyRow& row) {
    const auto& number = row.kept[by];
    if (!number) return;
    const std::pair<double, long> entry(larger ? -*number : *number, row.run);
    worst.insert(std::upper_bound(worst.begin(), worst.end(), entry), entry);
    if (std::ssize(worst) > count) worst.pop_back();
  });
  std::vector<long> runs;
  for (const auto& [number, run] : worst) runs.push_back(run);
  return runs;
}

}  // namespace

Sweep sweep(const Study& study, const VariedJob& job, const SweepFolder& folder, Engine& engine,
            const Progress& progress) {
  Sweep result;
  for (const Parameter& parameter : job.parameters())
    result.columns.parameters.push_back(parameter.name);
  result.columns.kept = job.keys();
  const auto work = [&](long run, const Progress& of_run) {
    return job.row(values_of(study, run), of_run);
  };
  const bool complete = make_table(study.text, result.columns, study.sampling->runs(), work, folder,
                                   engine, progress);
  if (!engine.keeps_table()) return result;
  if (!complete) {
    result.status = Status::interrupted;
    return result;
  }
  result.summary = summarize(folder.table(), result.columns, *study.sampling, study.within);
  result.worst = worst_runs(study, folder, result.columns);
  return result;
}

}  // namespace tauflex
