#include "tauflex/results/answer.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/results/stated_errors.hpp"
#include "tauflex/solvers/step_error.hpp"

namespace tauflex {

namespace {

// With its error; a bdf that nobody asked for takes the step and the order where that is least.
Answer answer_by(const Posed& posed, const Method& method, const Progress& progress) {
  Answer result{{}, {}, method};
  try {
    const auto* bdf = std::get_if<BdfOptions>(&method);
    if (posed.chosen && bdf) {
      ChosenSteps best =
          solve_with_best_step(posed.problem, posed.start, posed.diagnosis, *bdf, progress);
      result.solution = std::move(best.solution);
      result.method = best.method;
    } else {
      result.solution = solve_with_error(posed.problem, posed.start, method, progress);
    }
    result.regularity =
        watch_branch(posed.problem.with_window(result.solution.window), result.solution);
  } catch (const ProblemError& error) {
    result.solution = {};
    result.solution.status = Status::not_solvable;
    result.solution.message = error.what();
  }
  return result;
}

// Of a method that was not the first choice: it states its error, and this leaves the torques of
// each drive to be recognised. Difference formulas find motions where none is.
bool is_credible(const Robot& robot, const Solution& solution) {
  constexpr double negligible = 1e-6;  // rad or m
  return solution.status == Status::solved && solution.torque_errors.size() > 0 &&
         !unknown_torque(robot, solution, negligible);
}

}  // namespace

Answer answer(const Posed& posed, const Progress& progress) {
  Answer first = answer_by(posed, posed.method, progress);
  if (first.solution.status == Status::solved || first.solution.status == Status::interrupted)
    return first;
  std::string failures = fmt::format("{} failed: {}", name(posed.method), first.solution.message);
  for (const Method& method : posed.further) {
    if (posed.fault_of(method)) continue;
    Answer next = answer_by(posed, method, progress);
    if (next.solution.status == Status::interrupted) return next;
    if (is_credible(posed.problem.robot(), next.solution)) {
      next.notes = {fmt::format("{}; {} was taken instead", failures, name(method))};
      return next;
    }
    failures += fmt::format("; {} failed too: {}", name(method),
                            next.solution.status == Status::solved
                                ? "the error of its torques is not known, or too large"
                                : next.solution.message);
    first.notes = {failures};
  }
  return first;
}

}  // namespace tauflex
