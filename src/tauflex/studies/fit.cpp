#include "tauflex/studies/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tauflex/base/fields.hpp"
#include "tauflex/base/progress_parts.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/results/stated_errors.hpp"

namespace tauflex {

std::vector<Field> FitOptions::fields() {
  using namespace describe;
  return {number("tolerance", tolerance, between(0, 1), "", "of the duration, relative"),
          integers("smoothness", smoothness, within(1, 15),
                   "orders C^m of the path to try, as in 4,5,6")
              .if_left_out("that of the job"),
          number("longest", longest, at_least(1), "", "times the duration of the job"),
          boolean("verify", verify, "the answer, by forward simulation")};
}

void FitOptions::check() const { check_fields("fit", FitOptions(*this).fields()); }

namespace {

constexpr double coarse = 1.25;          // ratio of durations until the limits are met
constexpr double fine = 1.05;            // of the look at shorter ones
constexpr double far_beyond = -1;        // margin at twice a limit; two in a row end the search
constexpr double shortest_share = 1e-3;  // of the job's duration; below there is no limit to find

// Waypoints with their times multiplied: speeds are divided, accelerations twice.
void stretch_speeds(Node& job, const std::string& at, const Node& way, double factor) {
  for (const char* key : {"speed", "turn_speed"})
    if (const auto speed = way.find(key))
      job.set(
          fmt::format("{}.{}={}", at, key, shortest(speed->in("m/s|rad/s").positive() / factor)));
  if (const auto given = way.find("acceleration"))
    job.set(at +
            ".acceleration=" + shortest(given->in("m/s^2|rad/s^2").positive() / (factor * factor)));
}

// One segment of task.path with its times multiplied. Standing keeps its time.
void stretch_segment(Node& job, const std::string& at, const Node& segment, double factor,
                     std::optional<int> smoothness) {
  if (segment.has("samples"))
    segment.fail("fit cannot change the times of a table; give points with times, as a spline");
  if (segment.has("hold")) return;
  if (const auto duration = segment.find("duration"))
    job.set(at + ".duration=" + shortest(factor * duration->in("s").positive()));
  if (const auto spline = segment.find("spline")) {
    if (const auto times = spline->find("times")) {
      std::vector<std::string> words;
      for (const double t : times->numbers()) words.push_back(shortest(factor * t));
      job.set(at + ".spline.times=[" + join(words) + "]");
    }
    if (smoothness) job.set(at + ".smoothness=" + std::to_string(*smoothness));
  } else if (segment.has("waypoints") || segment.has("joint_waypoints")) {
    const std::string kind = segment.has("waypoints") ? "waypoints" : "joint_waypoints";
    stretch_speeds(job, at + "." + kind, segment.at(kind), factor);
    if (smoothness) job.set(at + ".smoothness=" + std::to_string(*smoothness));
  } else if (smoothness) {
    job.set(at + ".profile=polynomial" + std::to_string(2 * *smoothness + 1));
  }
}

Node stretched(const Node& given, double factor, std::optional<int> smoothness) {
  Node job = given.copy();
  const Node path = given.at("task").at("path");
  if (!path.is_list()) {
    stretch_segment(job, "task.path", path, factor, smoothness);
  } else {
    for (int i = 0; i < path.size(); ++i)
      stretch_segment(job, fmt::format("task.path.{}", i), path[i], factor, smoothness);
  }
  return job;
}

void require_something_to_fit(const Node& node, const Job& job) {
  if (!job.has_task() || !node.at("task").has("path"))
    throw InputError(job.name + ": fit needs a task with a path whose duration it can change");
  for (const Link& link : job.robot.links)
    if (link.drive &&
        (std::isfinite(link.drive->limits.torque) ||
         std::isfinite(link.drive->limits.torque_rate) || std::isfinite(link.drive->limits.speed)))
      return;
  throw InputError(job.name +
                   ": no drive has limits, so there is no shortest duration; add for instance "
                   "limits: {torque: 100} to a drive");
}

void require_standing_constraints(const Job& job, const Robot& robot) {
  for (const ConstraintRow& row : robot.constraints())
    if (row.path)
      throw InputError(fmt::format(
          "{}: constraint '{}' moves by a path of its own, whose times fit does not change",
          job.name, row.name));
}

// A limit that gravity and springs exceed without any motion: no duration helps.
void require_limits_hold_at_rest(const Job& job) {
  const Posed posed = plan(job);
  const Robot& robot = posed.problem.robot();
  require_standing_constraints(job, robot);
  for (const QuasiStaticPoint& point : posed.points) {
    if (point.state.status != Status::solved) return;  // the first trial says why
    Solution still;
    still.t = Vector::Constant(1, point.t);
    still.q = point.state.q;
    still.v = still.vdot = Vector::Zero(robot.nv());
    still.u = point.state.u;
    for (const LimitMargin& margin : limit_margins(robot, still))
      if (margin.margin < 0)
        throw ProblemError(
            fmt::format("{}: no duration respects the limits: at rest on the path, {}", job.name,
                        exceeded(margin)));
  }
}

struct Interrupted {};

// Of the time; the proof of the answer takes the rest.
constexpr double trials_share = 0.9;

class Search {
 public:
  Search(const Node& job, const std::string& name, const FitOptions& options,
         const StageProgress& progress, std::vector<FitTrial>& trials)
      : job_(job), name_(name), options_(options), progress_(progress), trials_(trials) {}

  std::optional<int> smoothness;

  // Least margin with the times of the job multiplied; -infinity where it was not solved.
  double margin(double factor) {
    const Job job = read_job(stretched(job_, factor, smoothness), name_);
    FitTrial trial{.profile = smoothness ? fmt::format("C^{}", *smoothness) : "as given",
                   .duration = job.task.path->duration()};
    const std::string stage = fmt::format("trial {}, {:.4g} s", trials_.size() + 1, trial.duration);
    // nobody knows how many trials it takes; often some thirty for each order
    constexpr double usual = 20;
    const StageProgress shown = [&](const char*, double f) {
      const double done = static_cast<double>(trials_.size()) + f;
      return !progress_ || progress_(stage.c_str(), trials_share * (1 - std::exp(-done / usual)));
    };
    const Record record = run(job, Until::solved, shown);
    trial.status = record.solution.status;
    trial.message = record.solution.message;
    if (!record.has_motion() && !any_solved()) throw ProblemError(trial.message);
    if (trial.status == Status::solved)
      trial.closest = *closest_limit(limit_margins(record.robot, record.solution));
    if (const auto sentence = unknown_torque(record.robot, record.solution,
                                             job.verification.tolerance.value_or(1e-3));
        sentence && trial.status == Status::solved) {  // nor are its limits
      trial.status = Status::missed;
      trial.message = *sentence;
    }
    if (trial.status == Status::interrupted) throw Interrupted();
    trials_.push_back(trial);
    if (trial.status != Status::solved || std::isnan(trial.closest.margin))
      return -std::numeric_limits<double>::infinity();
    if (trial.closest.margin >= 0 && (!best_ || trial.duration < best_->duration)) best_ = trial;
    return trial.closest.margin;
  }

  // The smallest factor found that respects the limits; nothing when there is none below `longest`.
  std::optional<double> shortest_factor(double start) {
    double low = start, high = start;  // low exceeds a limit, high does not
    if (margin(start) >= 0) {
      do {
        high = low;
        low /= coarse;
        if (low < shortest_share) throw_no_limit();
      } while (margin(low) >= 0);
    } else {
      do {
        low = high;
        high *= coarse;
        if (high > options_.longest) return std::nullopt;
      } while (margin(high) < 0);
    }
    high = narrowed(low, high);
    while (const auto shorter = found_below(high)) high = narrowed(*shorter / fine, *shorter);
    return high;
  }

  const FitTrial& best() const { return *best_; }

 private:
  // Else the question itself has no answer, whatever its duration.
  bool any_solved() const {
    return std::any_of(trials_.begin(), trials_.end(),
                       [](const FitTrial& t) { return t.status == Status::solved; });
  }

  double narrowed(double low, double high) {
    while (high > low * (1 + options_.tolerance)) {
      const double middle = std::sqrt(low * high);
      (margin(middle) >= 0 ? high : low) = middle;
    }
    return high;
  }

  // The shortest of the durations below that respects the limits.
  std::optional<double> found_below(double high) {
    std::optional<double> found;
    double before = 0;
    for (double factor = high / fine; factor >= high / 2; factor /= fine) {
      const double here = margin(factor);
      if (here >= 0) found = factor;
      if (here < far_beyond && before < far_beyond) break;
      before = here;
    }
    return found;
  }

  [[noreturn]] void throw_no_limit() const {
    throw InputError(fmt::format(
        "{}: even in {:.3g} s no limit is reached, so there is no shortest duration; state "
        "the limits of more drives, or smaller ones",
        name_, trials_.back().duration));
  }

  const Node& job_;
  const std::string& name_;
  const FitOptions& options_;
  const StageProgress& progress_;
  std::vector<FitTrial>& trials_;
  std::optional<FitTrial> best_;
};

// The next shorter duration must exceed a limit, not merely have torques that nobody knows.
void require_known_torques(const std::string& name, const std::vector<FitTrial>& trials,
                           const FitTrial& found) {
  const FitTrial* next = nullptr;
  for (const FitTrial& trial : trials)
    if (trial.profile == found.profile && trial.duration < found.duration &&
        (!next || trial.duration > next->duration))
      next = &trial;
  if (next && next->status == Status::missed)
    throw ProblemError(
        fmt::format("{}: the shortest duration within the limits is not known: at {:.4g} s {}",
                    name, next->duration, next->message));
}

}  // namespace

Fit fit(const Node& given, const std::string& name, const FitOptions& options,
        const StageProgress& progress) {
  options.check();
  const Job first = read_job(given.copy(), name);
  require_something_to_fit(given, first);
  stretched(given, 1, std::nullopt);  // refuses what cannot be stretched
  require_limits_hold_at_rest(first);

  std::vector<FitTrial> trials;
  std::optional<double> best;
  std::optional<int> best_smoothness;
  FitTrial found;
  std::vector<std::optional<int>> orders(options.smoothness.begin(), options.smoothness.end());
  if (orders.empty()) orders.push_back(std::nullopt);
  try {
    for (const std::optional<int>& smoothness : orders) {
      Search search(given, name, options, progress, trials);
      search.smoothness = smoothness;
      std::optional<double> factor;
      try {
        factor = search.shortest_factor(best.value_or(1));
      } catch (const ProblemError& error) {
        if (!smoothness) throw;  // else: not smooth enough, say; another order may do
        trials.push_back({.profile = fmt::format("C^{}", *smoothness),
                          .duration = first.task.path->duration(),
                          .status = Status::not_solvable,
                          .message = error.what()});
      }
      if (!factor || (best && search.best().duration >= found.duration)) continue;
      best = factor;
      best_smoothness = smoothness;
      found = search.best();
    }
  } catch (const Interrupted&) {
    return {Status::interrupted,
            std::move(trials),
            {},
            given,
            {first, Robot(first.robot), {}, {}, {}, {}}};
  }
  if (!best)
    throw ProblemError(fmt::format("{}: no duration up to {:.4g} s respects the limits: there, {}",
                                   name, trials.back().duration,
                                   trials.back().status == Status::solved
                                       ? exceeded(trials.back().closest)
                                       : trials.back().message));
  require_known_torques(name, trials, found);
  Node job = stretched(given, *best, best_smoothness);
  const StageProgress last = part_of(progress, trials_share, 1);
  Record record =
      run(read_job(job.copy(), name), options.verify ? Until::verified : Until::solved, last);
  if (!record.has_motion()) throw ProblemError(record.solution.message);
  return {record.solution.status, std::move(trials), found, job, std::move(record)};
}

}  // namespace tauflex
