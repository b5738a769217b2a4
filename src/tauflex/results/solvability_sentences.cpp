#include "tauflex/results/solvability_sentences.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/base/text.hpp"
#include "tauflex/solvers/method_choice.hpp"

namespace tauflex {

namespace {

std::string count_in_words(size_t count) {
  static const char* const words[] = {"No",    "One",   "Two",  "Three", "Four",   "Five",  "Six",
                                      "Seven", "Eight", "Nine", "Ten",   "Eleven", "Twelve"};
  return count < std::size(words) ? words[count] : std::to_string(count);
}

std::string method_words(const Method& method) {
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
    std::string operator()(const ParallelOptions& o) const {
      return fmt::format("parallel, Newmark with delta {:.4g} and beta {:.4g}, step {:.4g} ms",
                         o.delta, o.newmark_beta(), 1e3 * o.step);
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
    return states +
           ", not stable everywhere, but the path excites the unstable ones too weakly, or too "
           "briefly, to matter.";
  if (!diagnosis.undamped.empty()) return states + ", stable, but not all of them are damped.";
  return states + ", stable everywhere.";
}

}  // namespace

std::string no(const std::string& reason) { return "Not solvable as posed: " + reason + "."; }

std::string not_solved(const std::string& reason) { return "Not solved: " + reason + "."; }

std::string yes(const Posed& posed, const Method& method, bool solved, int path_smoothness) {
  const InverseProblem& problem = posed.problem;
  const Diagnosis& diagnosis = posed.diagnosis;
  const std::string has = path_smoothness >= Solvability::most_derivatives
                              ? "yours has them all"
                              : fmt::format("yours has {}", path_smoothness);
  const std::string dependence = problem.path().size() == 0
                                     ? "The constraints move the robot."
                                     : fmt::format(
                                           "The torque depends on the {} derivative of the "
                                           "path; {}.",
                                           ordinal(diagnosis.required_smoothness), has);
  return fmt::format(
      "{} {} {} Use: {}.",
      solved ? "Solvable." : "No obstacle was found; only solving tells if there is a solution.",
      dependence, internal_states(diagnosis, method), method_words(method));
}

std::vector<std::string> advice(const Posed& posed, const Solvability& result) {
  const Diagnosis& diagnosis = posed.diagnosis;
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
  if (posed.growth.rules_out_start_with_path())
    changes.push_back(
        "the tool point: closer to the last drive than the centre of percussion of what hangs on "
        "the passive joint, the zeros become stable");
  return changes;
}

std::vector<std::string> remarks(const Posed& posed, const Diagnosis& diagnosis) {
  std::vector<std::string> notes = diagnosis.undamped;
  notes.insert(notes.end(), diagnosis.notes.begin(), diagnosis.notes.end());
  const IndexReport& index = diagnosis.index;
  if (!index.available && !index.message.empty()) notes.push_back(index.message);
  if (!index.disagreement.empty()) notes.push_back(index.disagreement);
  notes.insert(notes.end(), index.changes.begin(), index.changes.end());
  if (index.available && index.gap() < 1e3)
    notes.push_back(fmt::format(
        "the ranks are uncertain: the smallest singular value taken as nonzero is only {:.1f} "
        "times the largest one taken as zero",
        index.gap()));
  if (!diagnosis.minimum_phase && !std::holds_alternative<StableInversionOptions>(posed.method))
    notes.push_back(fmt::format(
        "a zero at {:+.4g} per second lets errors grow {:.3g} times during the motion",
        diagnosis.largest_zero_real_part, std::exp(std::min(posed.growth.exponent, 700.0))));
  return notes;
}

}  // namespace tauflex
