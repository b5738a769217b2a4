#include "tauflex/results/solvability.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/planning/pose.hpp"
#include "tauflex/solvers/array_methods.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/solvers/stable_inversion.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

namespace {

int path_smoothness(const InverseProblem& problem) {
  for (int k = 0; k <= Solvability::most_derivatives; ++k) {
    if (first_corner(problem.path(), k)) return k - 1;
    for (const ConstraintRow& row : problem.robot().constraints())
      if (row.path)
        if (const auto corner = first_corner(*row.path, k);
            corner && corner->output == row.component)
          return k - 1;
  }
  return Solvability::most_derivatives;
}

std::string count_in_words(size_t count) {
  static const char* const words[] = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                      "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
  return count < std::size(words) ? words[count] : std::to_string(count);
}

std::string describe(const Method& method) {
  struct Words {
    std::string operator()(const BdfOptions& o) const {
      return fmt::format("bdf, order {}, step {:.4g} ms", o.order, 1e3 * o.step);
    }
    std::string operator()(const ExactOptions& o) const {
      return fmt::format("exact, no integration, a sample every {:.4g} ms", 1e3 * o.step);
    }
    std::string operator()(const ArrayOptions& o) const {
      return fmt::format("{}, order {}, step {:.4g} ms",
                         o.closure == ArrayClosure::decoupled ? "decoupled" : "kunkel_mehrmann",
                         o.order, 1e3 * o.step);
    }
    std::string operator()(const JetOptions& o) const {
      return fmt::format("jets, torques to {:.0e} of their peak, a sample every {:.4g} ms",
                         o.tolerance, 1e3 * o.step);
    }
    std::string operator()(const StableInversionOptions& o) const {
      return fmt::format(
          "stable_inversion, torques to {:.0e} of their peak, a sample every {:.4g} ms",
          o.tolerance, 1e3 * o.step);
    }
    std::string operator()(const VariableStepOptions& o) const {
      return fmt::format("variable_step, tolerance {:.1e}", o.tolerance);
    }
  };
  return std::visit(Words{}, method);
}

int unstable_states(const Diagnosis& diagnosis) {
  for (const PhaseAtPoint& point : diagnosis.phase)
    if (point.unstable > 0) return point.unstable;
  return 0;
}

std::string internal_states(const Diagnosis& diagnosis, const Method& method) {
  const size_t count = diagnosis.zeros.size();
  if (count == 0) return "No internal states: the path alone determines the motion.";
  const std::string states =
      fmt::format("{} internal state{}", count_in_words(count), count == 1 ? "" : "s");
  if (!diagnosis.minimum_phase && std::holds_alternative<StableInversionOptions>(method))
    return states +
           fmt::format(", {} of them unstable at t = {:.4g} s: the torques begin before the path.",
                       unstable_states(diagnosis), first_loss_of_phase(diagnosis).value_or(0));
  if (!diagnosis.minimum_phase)
    return states + ", not stable everywhere, but the motion is too short for it to matter.";
  if (!diagnosis.undamped.empty()) return states + ", stable, but not all of them are damped.";
  return states + ", stable everywhere.";
}

std::string yes(const InverseProblem& problem, const Solvability& result) {
  const Diagnosis& diagnosis = *result.diagnosis;
  const std::string has = result.path_smoothness >= Solvability::most_derivatives
                              ? "yours has them all"
                              : fmt::format("yours has {}", result.path_smoothness);
  const std::string dependence = problem.path().size() == 0
                                     ? "The constraints move the robot."
                                     : fmt::format(
                                           "The torque depends on the {} derivative of the "
                                           "path; {}.",
                                           ordinal(diagnosis.required_smoothness), has);
  return fmt::format("Solvable. {} {} Use: {}.", dependence,
                     internal_states(diagnosis, *result.method), describe(*result.method));
}

// What would make it solvable, beyond what the reason says itself.
std::vector<std::string> advice(const InverseProblem& problem, const Diagnosis& diagnosis,
                                const Solvability& result) {
  std::vector<std::string> changes;
  for (const RankLoss& loss : result.rank_losses)
    changes.push_back(fmt::format("the path: keep away from where it is at t = {:.6g} s", loss.t));
  if (!changes.empty()) return changes;
  if (diagnosis.status != Status::solved) {
    changes.push_back(
        "outputs, start and path: each output needs a drive that moves it, the path a pose that "
        "reaches it; task.start.near picks another branch");
    return changes;
  }
  if (result.path_smoothness < diagnosis.required_smoothness) {
    changes.push_back(
        fmt::format("path.profile: polynomial{} or higher", 2 * diagnosis.required_smoothness + 1));
    if (diagnosis.required_smoothness > 3)
      changes.push_back(
          "damping of the drive springs: each damped drive lowers the index, and so the smoothness "
          "that is needed, by one");
  }
  if (grows_away(problem, diagnosis))
    changes.push_back(
        "the tool point: closer to the last drive than the centre of percussion of what hangs on "
        "the passive joint, the zeros become stable");
  return changes;
}

void add_notes(const InverseProblem& problem, const Diagnosis& diagnosis, Solvability& result) {
  auto& notes = result.notes;
  notes.insert(notes.end(), diagnosis.undamped.begin(), diagnosis.undamped.end());
  const IndexReport& index = diagnosis.index;
  if (!index.available && !index.message.empty()) notes.push_back(index.message);
  if (!index.disagreement.empty()) notes.push_back(index.disagreement);
  notes.insert(notes.end(), index.changes.begin(), index.changes.end());
  if (index.available && index.gap() < 1e3)
    notes.push_back(fmt::format(
        "the rank decisions are not clear: the smallest singular value that counts is only {:.1f} "
        "times what does not count",
        index.gap()));
  if (!diagnosis.minimum_phase && !grows_away(problem, diagnosis))
    notes.push_back(fmt::format(
        "a zero at {:+.4g} per second lets errors grow {:.3g} times during the motion",
        diagnosis.largest_zero_real_part, std::exp(growth_exponent(problem, diagnosis))));
}

// Ranks at a few points of the solution, with derivatives from the array itself.
std::vector<IndexAtPoint> ranks_on_solution(const InverseProblem& problem, const RestState& start,
                                            const Method& method, const Diagnosis& diagnosis) {
  InverseDae dae(problem);
  if (!diagnosis.index.available || dae.size() > 60) return {};
  const int points = dae.size() <= 24 ? 5 : 1;
  const Solution solution = solve(with_window(problem, start, method), start, method);
  if (solution.status != Status::solved) return {};
  DerivativeArray array(dae);
  const int order = diagnosis.index.points.front().differential_index;
  std::vector<int> all(static_cast<size_t>(dae.size()));
  std::iota(all.begin(), all.end(), 0);
  std::vector<SeriesPoint> series;
  for (int k = 1; k <= points; ++k) {
    const int i = solution.steps * k / (points + 1);
    Matrix X = Matrix::Zero(dae.size(), 2);
    X.col(0) << solution.q.col(i), solution.v.col(i), solution.lambda.col(i);
    array.linearize(solution.t[i], X, 1);
    if (complete_series(array, array_scales(array), solution.t[i], order, X, all))
      series.push_back({solution.t[i], X});
  }
  return index_at(problem, series);
}

Solvability not_solvable(const std::string& reason) {
  Solvability result;
  result.verdict = "Not solvable as posed: " + reason + ".";
  return result;
}

}  // namespace

Solvability analyze(const Job& job) {
  std::optional<PosedProblem> posed;
  try {
    posed.emplace(pose(job));
  } catch (const ProblemError& error) {
    return not_solvable(error.what());
  }
  const InverseProblem& problem = posed->problem;
  Solvability result;
  const std::vector<QuasiStaticPoint> points = quasi_static_points(problem, posed->start);
  result.diagnosis = diagnose(problem, points);
  Diagnosis& diagnosis = *result.diagnosis;
  diagnosis.self_motion = posed->self_motion;
  if (diagnosis.status == Status::solved) diagnosis.index = report_index(problem, points);
  result.path_smoothness = path_smoothness(problem);
  result.rank_losses = find_rank_losses(problem, posed->start);
  const Method method = job.method ? *job.method : choose_method(problem, posed->start, diagnosis);
  std::optional<std::string> reason = unsolvable_because(problem, posed->start, diagnosis, method);
  if (!reason) reason = stop_at_rest(problem, posed->start);
  if (!result.rank_losses.empty() && (!reason || diagnosis.status != Status::solved))
    reason = result.rank_losses.front().sentence();
  if (reason) {
    Solvability no = not_solvable(*reason);
    no.diagnosis = result.diagnosis;
    no.path_smoothness = result.path_smoothness;
    no.rank_losses = result.rank_losses;
    no.changes = advice(problem, diagnosis, result);
    add_notes(problem, diagnosis, no);
    return no;
  }
  result.solvable = true;
  result.method = method;
  result.verdict = yes(problem, result);
  if (!posed->posture.empty()) result.notes.push_back(posed->posture);
  add_notes(problem, diagnosis, result);
  result.on_solution = ranks_on_solution(problem, posed->start, *result.method, diagnosis);
  for (const IndexAtPoint& point : result.on_solution)
    if (point.strangeness_index != diagnosis.index.points.front().strangeness_index ||
        point.algebraic_count != diagnosis.index.points.front().algebraic_count)
      result.notes.push_back(fmt::format(
          "t = {:.6g} s: on the solution itself the index is {} with {} algebraic variables",
          point.t, point.differential_index, point.algebraic_count));
  return result;
}

}  // namespace tauflex
