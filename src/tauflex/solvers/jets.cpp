#include "tauflex/solvers/jets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "tauflex/base/errors.hpp"

namespace tauflex {

void require_jets(const InverseProblem& problem, const RestState& start) {
  const std::string& where = problem.task().where;
  InternalDynamics dynamics(problem);
  if (!dynamics.is_regular(start.q))
    throw ProblemError(where +
                       ": the accelerations of the joints without a drive are not determined by "
                       "the path; use decoupled, which differentiates as often as needed");
}

StepFailure failure_at(double t, const TimeGrid& grid) {
  const int i = std::clamp(static_cast<int>((t - grid.begin) / grid.step()), 1, grid.steps);
  return {i, "", 0};
}

StepFailure failure_of(const JetMotion& motion, const TimeGrid& grid) {
  StepFailure no = failure_at(motion.failed_at(), grid);
  return step_failure(no.step, motion.dynamics(), motion.failure());
}

std::optional<StepFailure> sample(JetMotion& motion, const TimeGrid& grid, const Progress& progress,
                                  Solution& solution) {
  const auto take = [&](int, double t, Instant& now) -> std::optional<StepFailure> {
    if (motion.at(t, now)) return std::nullopt;
    return failure_of(motion, grid);
  };
  return take_steps(grid, 0, progress, take, solution);
}

namespace {

// Of the time that jets take: the search for a step; the rest goes into samples.
constexpr double search_share = 0.9;

// The answer, and a run with a fifth fewer steps: of order 9, its error is 7.5 times as large, so
// that a fifth of the difference is an error of the answer, and is so within a factor of 5 whatever
// the order. Steps are added until it is small enough for every drive.
class JetSearch {
 public:
  JetSearch(const InverseProblem& problem, const RestState& start, const JetOptions& options)
      : problem_(problem),
        options_(options),
        corners_(corner_times(problem)),
        answer_(std::make_shared<JetMotion>(problem, start, options.tolerance)),
        check_(problem, start, options.tolerance),
        failed_(answer_.get()),
        peaks_(Vector::Zero(problem.robot().actuation().count())),
        differences_(peaks_),
        jumps_(peaks_) {}

  const std::shared_ptr<JetMotion>& answer() const { return answer_; }
  long iterations() const { return iterations_; }

  enum class Found { yes, no, interrupted };
  Found search(const Progress& progress) {
    const int most = options_.steps_at_most(problem_.end() - problem_.begin());
    int count =
        std::min(most, options_.first_steps > 0 ? options_.first_steps
                                                : first_steps(*answer_, options_.tolerance));
    int runs = 0;
    while (count <= most) {
      last_count_ = count;
      const bool integrated =
          run(*answer_, count, false) && (answer_->is_closed_form() || run(check_, count, true));
      // nobody knows how many runs it takes; each is as long as those before it together
      if (progress && !progress(search_share * (1 - std::pow(0.5, ++runs))))
        return Found::interrupted;
      if (integrated && answer_->is_closed_form()) return Found::yes;
      if (!integrated && failed_->is_endless()) return Found::no;
      const double before = difference_;
      if (!integrated || !compare()) {
        difference_ = 0;
        count *= 2;
        continue;
      }
      if (difference_ <= options_.tolerance || is_rounding(before)) return Found::yes;
      const double missing = difference_ / options_.tolerance;
      const double more = 1.1 * std::pow(missing, 1 / order_of_error(before, count));
      compared_ = count;
      count = static_cast<int>(std::ceil(count * std::clamp(more, 1.3, 8.0)));
    }
    return Found::no;
  }

  StepFailure failure(const TimeGrid& grid) const {
    StepFailure no = failure_of(*failed_, grid);
    if (failed_->is_endless())
      no.reason =
          "the drive springs are so stiff under this load that their own motion would take too "
          "many steps to integrate; are masses, lengths and hardening right?";
    else if (difference_ > 0)
      no.reason = fmt::format(
          "the torques still change by {:.1e} of their peak at {} steps; the internal dynamics are "
          "too fast or not stable",
          difference_, last_count_);
    return no;
  }

  // Of the torques of each drive: what the runs differ by, what jumps where steps meet, which is
  // seen at every node, and rounding.
  Vector errors() {
    if (probes_.empty()) {
      place_probes(0);
      if (!take_answers()) return differences_;
    }
    constexpr double between_probes = 2;
    return rounding().cwiseMax(jumps_).cwiseMax(
        (stopped_by_rounding_ ? 1 / share_ : between_probes) * differences_);
  }

 private:
  // Of each drive. Rounding of mechanics is seen by going to the same motion from other guesses.
  Vector rounding() {
    // more often than a probe tells, and never less than what sums of many terms lose
    constexpr double seldom = 3, least = 32 * std::numeric_limits<double>::epsilon();
    constexpr double guesses[] = {1e-5, 1e-6, 1e-4};
    Vector worst = Vector::Zero(peaks_.size());
    for (size_t k = 0; k < probes_.size(); k += 4)
      if (answer_->at(probes_[k], other_, guesses[k / 4 % 3]))
        worst = worst.cwiseMax((answers_.col(k) - other_.u).cwiseAbs());
    return (seldom * worst).cwiseMax(least * peaks_) + answer_->torque_rounding();
  }

  // More steps did not help, twice, or once and rounding is as large as what is left.
  bool is_rounding(double before) {
    const bool stays = before > 0 && difference_ > 0.5 * before && difference_ < 1e-6;
    stopped_by_rounding_ = stays && (stayed_ || difference_ < 10 * relative(rounding()));
    stayed_ = stays;
    return stopped_by_rounding_;
  }

  // By how it fell from the last two runs to these. Internal motions that decay fast within a step
  // are known to order 6 only; without them it is 9.
  double order_of_error(double before, int count) const {
    constexpr double lowest = 4, highest = 9;
    if (!(before > difference_)) return before > 0 ? lowest : highest;
    return std::clamp(std::log(before / difference_) /
                          std::log(static_cast<double>(count) / static_cast<double>(compared_)),
                      lowest, highest);
  }

  bool run(JetMotion& motion, int steps, bool fewer) {
    failed_ = &motion;
    return integrate(motion, steps, iterations_, fewer);
  }

  // Where to look: seldom where a step ends, the most accurate place, and around every corner.
  void place_probes(int steps) {
    const double whole = problem_.end() - problem_.begin();
    const int even = std::max(24, 2 * steps / 3);
    probes_.clear();
    for (int k = 0; k <= even; ++k)
      probes_.push_back(problem_.begin() + whole * (k + 0.37) / (even + 1));
    if (corners_.size() >= 20) return;
    for (const double corner : corners_)
      for (const double x : {-0.2, 0.0, 0.06, 0.2, 0.7, 1.4, 2.3}) {
        const double t = corner + x * whole / std::max(steps, 32);
        if (t >= problem_.begin() && t <= problem_.end()) probes_.push_back(t);
      }
  }

  bool take_answers() {
    failed_ = answer_.get();
    answers_.resize(peaks_.size(), std::ssize(probes_));
    for (size_t k = 0; k < probes_.size(); ++k) {
      if (!answer_->at(probes_[k], now_)) return false;
      answers_.col(k) = now_.u;
    }
    peaks_ = answers_.cwiseAbs().rowwise().maxCoeff();
    return true;
  }

  // Torques at a few times tell whether the steps are short enough.
  bool compare() {
    place_probes(answer_->steps());
    if (!take_answers()) return false;
    failed_ = &check_;
    differences_.setZero();
    for (size_t k = 0; k < probes_.size(); ++k) {
      if (!check_.at(probes_[k], other_)) return false;
      differences_ = differences_.cwiseMax((answers_.col(k) - other_.u).cwiseAbs());
    }
    share_ = share_of_answer();
    jumps_ = answer_->torque_jumps();
    difference_ = relative((accepted_share * differences_).cwiseMax(jumps_));
    differences_ *= share_;
    return true;
  }

  // Which part of the difference is the error of the answer: 0.2 for a fifth fewer steps.
  static constexpr double accepted_share = 0.2;
  double share_of_answer() const {
    const auto corners = 2 * (std::ssize(corners_) - 1);  // each has two steps more
    const double ratio = static_cast<double>(answer_->steps() - corners) /
                         static_cast<double>(std::max<long>(check_.steps() - corners, 1));
    return 1.3 / (std::pow(ratio, 9) - 1);
  }

  // The largest, each relative to the peak of its drive. A drive that hardly works carries rounding
  // of those that do: a thousandth of the largest torque at a joint is the least that counts.
  double relative(const Vector& errors) const {
    const auto& drives = problem_.robot().actuation().drives;
    double largest = 0, worst = 0;
    for (size_t i = 0; i < drives.size(); ++i)
      largest = std::max(largest, peaks_[i] * std::abs(drives[i].gear_ratio));
    for (size_t i = 0; i < drives.size(); ++i) {
      const double size = std::max(peaks_[i], 1e-3 * largest / std::abs(drives[i].gear_ratio));
      if (errors[i] > 0) worst = std::max(worst, errors[i] / size);
    }
    return worst;
  }

  const InverseProblem& problem_;
  const JetOptions& options_;
  std::set<double> corners_;
  std::shared_ptr<JetMotion> answer_;
  JetMotion check_;
  JetMotion* failed_;  // the run that failed last
  Instant now_, other_;
  std::vector<double> probes_;
  // Drives x probes.
  Matrix answers_;
  // Of each drive.
  Vector peaks_, differences_, jumps_;
  // The largest, relative.
  double difference_ = 0;
  double share_ = 0;
  bool stayed_ = false, stopped_by_rounding_ = false;
  long iterations_ = 0;
  // Steps that were asked for: in the last runs, and in those before that could be compared.
  int last_count_ = 0, compared_ = 0;
};

}  // namespace

std::optional<StepFailure> solve_by_jets(const InverseProblem& problem, const RestState& start,
                                         const JetOptions& options, const TimeGrid& grid,
                                         const Progress& progress, Solution& solution) {
  require_jets(problem, start);
  JetSearch search(problem, start, options);
  const JetSearch::Found found = search.search(progress);
  if (found == JetSearch::Found::interrupted) {
    solution.status = Status::interrupted;
    return std::nullopt;
  }
  if (found == JetSearch::Found::no) return search.failure(grid);
  solution.torque_errors = search.errors();
  solution.integrator_steps = search.answer()->steps();
  const Progress sampling = [&](double done) {
    return !progress || progress(search_share + (1 - search_share) * done);
  };
  if (const auto no = sample(*search.answer(), grid, sampling, solution)) return no;
  solution.newton_iterations = search.iterations();
  solution.dense = search.answer();
  return std::nullopt;
}

}  // namespace tauflex
