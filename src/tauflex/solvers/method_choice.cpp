#include "tauflex/solvers/method_choice.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/problem/path_pieces.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/solvers/step_stability.hpp"

namespace tauflex {

namespace {

// So short that samples show each piece of the path.
double short_enough(const InverseProblem& problem, double step) {
  const auto skipped = skipped_piece(problem, step);
  return skipped ? std::min(step, skipped->step()) : step;
}

// Truncation falls as h^4, rounding in u grows as h^-p, p the derivative of the path that the
// torque depends on: the higher p, the fewer steps a move of the path can bear.      theory (P.4)
BdfOptions best_bdf(const InverseProblem& problem, const Diagnosis& diagnosis) {
  const int p = diagnosis.required_smoothness;
  const double steps_per_move = p <= 2 ? 1000 : p == 3 ? 600 : p == 4 ? 300 : 150;
  std::set<double> ends;  // of the moves
  for (const Corner& corner : problem.path().corners()) ends.insert(corner.time);
  const double moves = std::max(1.0, static_cast<double>(ends.size()) - 1);
  const double step = problem.path().duration() / moves / steps_per_move;
  BdfOptions options{.order = 4, .step = short_enough(problem, step)};
  // orders up to 2 are stable for every internal motion that decays
  while (options.order > 2 &&
         is_unstable(formula_growth(problem, diagnosis, options.order, options.step)))
    --options.order;
  return options;
}

}  // namespace

std::vector<Method> choose_methods(const InverseProblem& problem, const RestState& start,
                                   const Diagnosis& diagnosis, const CausalGrowth& growth) {
  const double span = problem.path().duration();
  const double step = short_enough(problem, span / std::max(1000.0, span * 1000));
  if (problem.is_algebraic()) return {ExactOptions{.step = step}};
  std::vector<Method> methods;
  methods.reserve(4);
  if (jets_apply(problem, start.q)) {
    const Method with_the_path = JetOptions{.step = step};
    const Method before_it = StableInversionOptions{.step = step};
    methods.push_back(growth.matters() ? before_it : with_the_path);
    methods.push_back(growth.matters() ? with_the_path : before_it);
  }
  if (diagnosis.index.available && !problem.is_redundant() && (diagnosis.flat || !methods.empty()))
    methods.push_back(ArrayOptions{.closure = ArrayClosure::decoupled, .step = step});
  methods.push_back(best_bdf(problem, diagnosis));
  return methods;
}

std::optional<std::string> unsolvable_because(const InverseProblem& problem, const RestState& start,
                                              const Diagnosis& diagnosis,
                                              const CausalGrowth& growth, const Method& method) {
  if (diagnosis.status != Status::solved) return diagnosis.message;
  if (const auto fault = smoothness_fault(problem, diagnosis)) return *fault;
  if (growth.rules_out_start_with_path() &&
      !std::holds_alternative<StableInversionOptions>(method)) {
    const std::string advice = minimum_phase_advice(problem, start);
    return fmt::format(
        "the robot is not minimum phase from t = {:.4g} s on: a zero at {:+.4g} per second lets "
        "every torque that starts with the path grow by a factor of 1e{:.0f}; {}{}",
        first_loss_of_phase(diagnosis).value_or(0), diagnosis.largest_zero_real_part,
        growth.exponent / std::log(10.0),
        jets_apply(problem, start.q)
            ? "take method: stable_inversion, which begins before the path, or "
            : "",
        advice.empty() ? "move the tool point towards the last drive" : advice);
  }
  return std::nullopt;
}

std::optional<std::string> inapplicable_because(const InverseProblem& problem,
                                                const RestState& start, const Method& method) {
  try {
    require_method(problem, start, method);
    return std::nullopt;
  } catch (const ProblemError& error) {
    const std::string where = problem.task().where + ": ", what = error.what();
    return what.starts_with(where) ? what.substr(where.size()) : what;
  }
}

}  // namespace tauflex
