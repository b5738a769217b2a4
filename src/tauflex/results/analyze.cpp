#include "tauflex/results/analyze.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "tauflex/base/errors.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/planning/plan.hpp"
#include "tauflex/results/answer.hpp"
#include "tauflex/results/solvability_sentences.hpp"
#include "tauflex/solvers/array_methods.hpp"
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

// So large a question is not solved just to look at it.
bool is_affordable(const InverseProblem& problem) { return InverseDae(problem).size() <= 60; }

// Ranks at a few points of the solution, with derivatives from the array itself.
std::vector<IndexAtPoint> ranks_on_solution(const Posed& posed, const Solution& solution) {
  const IndexReport& index = posed.diagnosis.index;
  if (!index.available) return {};
  InverseDae dae(posed.problem);
  const int points = dae.size() <= 24 ? 5 : 1;
  DerivativeArray array(dae);
  const int order = index.points.front().differential_index;
  std::vector<int> all(dae.size());
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
  return index_at(posed.problem, series);
}

// Where the ranks on the solution are not those at rest.
std::vector<std::string> changed_ranks(const Solvability& result) {
  std::vector<std::string> notes;
  for (const IndexAtPoint& point : result.on_solution) {
    const IndexAtPoint& at_rest = result.diagnosis->index.points.front();
    if (point.strangeness_index != at_rest.strangeness_index ||
        point.algebraic_count != at_rest.algebraic_count)
      notes.push_back(fmt::format(
          "t = {:.6g} s: on the solution itself the index is {} with {} algebraic variables",
          point.t, point.differential_index, point.algebraic_count));
  }
  return notes;
}

Solvability verdict_on(const Posed& posed) {
  Solvability result;
  result.diagnosis = posed.diagnosis;
  if (posed.diagnosis.status == Status::solved)
    result.diagnosis->index = report_index(posed.problem, posed.points);
  if (!posed.diagnosis.minimum_phase)
    result.initial_value = {posed.growth.exponent / std::log(10.0),
                            internal_inertia(posed.problem, posed.start)};
  result.path_smoothness = path_smoothness(posed.problem);
  result.rank_losses = find_rank_losses(posed.problem, posed.start);
  const std::vector<std::string> notes = remarks(posed, *result.diagnosis);
  if (posed.unsolvable) {
    result.verdict = no(*posed.unsolvable);
    result.changes = advice(posed, result);
    result.notes = notes;
    return result;
  }
  const bool solved = is_affordable(posed.problem);
  result.method = posed.method;
  result.status = Status::solved;
  result.notes = posed.notes;
  if (solved) {
    const Answer found = answer(posed);
    result.notes.insert(result.notes.end(), found.notes.begin(), found.notes.end());
    result.status = found.solution.status;
    result.method = found.method;
    if (result.status == Status::solved)
      result.on_solution = ranks_on_solution(posed, found.solution);
    else
      result.verdict = not_solved(found.solution.message);
  }
  result.solvable = result.status == Status::solved;
  if (result.solvable) result.verdict = yes(posed, *result.method, solved, result.path_smoothness);
  for (const auto& more : {notes, changed_ranks(result)})
    result.notes.insert(result.notes.end(), more.begin(), more.end());
  return result;
}

}  // namespace

Solvability analyze(const Job& job) {
  std::optional<Posed> posed;
  try {
    posed = plan(job);
  } catch (const ProblemError& error) {
    Solvability result;
    result.verdict = no(error.what());
    return result;
  }
  return verdict_on(*posed);
}

}  // namespace tauflex
