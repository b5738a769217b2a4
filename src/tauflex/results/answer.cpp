#include "tauflex/results/answer.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"

namespace tauflex {

namespace {

Answer answer_by(const Posed& posed, const Method& method, const Progress& progress) {
  Answer result{{}, {}, method};
  try {
    result.solution = solve(posed.problem, posed.start, method, progress);
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
bool is_credible(const Solution& solution) {
  constexpr double share = 0.05;  // of the drive's peak
  if (solution.status != Status::solved || solution.torque_errors.size() == 0) return false;
  const Vector peaks = solution.u.cwiseAbs().rowwise().maxCoeff();
  return (solution.torque_errors.array() <= share * peaks.array()).all();
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
    if (is_credible(next.solution)) {
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
