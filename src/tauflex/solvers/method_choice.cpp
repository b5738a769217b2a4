#include "tauflex/solvers/method_choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tauflex/problem/internal_series.hpp"
#include "tauflex/solvers/step_stability.hpp"

namespace tauflex {

double growth_exponent(const InverseProblem& problem, const Diagnosis& diagnosis) {
  return diagnosis.largest_zero_real_part * (problem.end() - problem.begin());
}

bool grows_away(const InverseProblem& problem, const Diagnosis& diagnosis) {
  return !diagnosis.minimum_phase && growth_exponent(problem, diagnosis) > 7;  // a thousandfold
}

namespace {

// Truncation falls as h^4, rounding in u grows as h^-p, p the derivative of the path that the
// torque depends on: the higher p, the fewer steps a move of the path can bear.      theory (P.4)
BdfOptions best_bdf(const InverseProblem& problem, const Diagnosis& diagnosis) {
  const int p = diagnosis.required_smoothness;
  const double steps_per_move = p <= 2 ? 1000 : p == 3 ? 600 : p == 4 ? 300 : 150;
  std::set<double> ends;  // of the moves
  for (const Corner& corner : problem.path().corners()) ends.insert(corner.time);
  const double moves = std::max(1.0, static_cast<double>(ends.size()) - 1);
  BdfOptions options{.order = 4, .step = problem.path().duration() / moves / steps_per_move};
  // orders up to 2 are stable for every internal motion that decays
  while (options.order > 2 &&
         is_unstable(formula_growth(problem, diagnosis, options.order, options.step)))
    --options.order;
  return options;
}

}  // namespace

Method choose_method(const InverseProblem& problem, const RestState& start,
                     const Diagnosis& diagnosis) {
  const double span = problem.path().duration();
  const double step = span / std::max(1000.0, span * 1000);
  if (problem.is_algebraic()) return ExactOptions{.step = step};
  if (jets_apply(problem, start.q)) {
    if (grows_away(problem, diagnosis)) return StableInversionOptions{.step = step};
    return JetOptions{.step = step};
  }
  if (diagnosis.flat && diagnosis.index.available && !problem.is_redundant())
    return ArrayOptions{.closure = ArrayClosure::decoupled, .step = step};
  return best_bdf(problem, diagnosis);
}

std::optional<std::string> unsolvable_because(const InverseProblem& problem, const RestState& start,
                                              const Diagnosis& diagnosis, const Method& method) {
  if (diagnosis.status != Status::solved) return diagnosis.message;
  if (const auto fault = smoothness_fault(problem, diagnosis)) return *fault;
  if (grows_away(problem, diagnosis) && !std::holds_alternative<StableInversionOptions>(method)) {
    const std::string advice = minimum_phase_advice(problem, start);
    return fmt::format(
        "the robot is not minimum phase from t = {:.4g} s on: a zero at {:+.4g} per second lets "
        "every torque that starts with the path grow by a factor of 1e{:.0f}; {}{}",
        first_loss_of_phase(diagnosis).value_or(0), diagnosis.largest_zero_real_part,
        growth_exponent(problem, diagnosis) / std::log(10.0),
        jets_apply(problem, start.q)
            ? "take method: stable_inversion, which begins before the path, "
              "or "
            : "",
        advice.empty() ? "move the tool point towards the last drive" : advice);
  }
  return std::nullopt;
}

}  // namespace tauflex
