#include "tauflex/solvers/solve.hpp"

#include <fmt/format.h>

#include <chrono>

#include "tauflex/base/errors.hpp"
#include "tauflex/solvers/bdf.hpp"

namespace tauflex {

namespace {

// Why a step failed, in words: most often the tool has left the workspace.
std::string explain(const InverseProblem& problem, const Solution& solution,
                    const StepFailure& failure, double t) {
  std::string sentence = fmt::format("t = {:.6g} s: Newton failed in equation '{}' (off by {:.3g})",
                                     t, failure.equation, failure.residual);
  const RestState still = rest_state(problem, t, solution.q.col(solution.steps));
  if (still.status != Status::solved)
    return sentence + "; the tool leaves the workspace: " + still.message;
  if (output_independence(problem, solution.q.col(solution.steps)) < 0.02)
    return sentence + "; the arm is close to a singular pose there";
  RestState along = still;  // the path may run out of reach a little later
  for (int i = 1; i <= 20 && along.status == Status::solved; ++i)
    along = rest_state(problem, t + (problem.end() - t) * i / 20, along.q);
  if (along.status != Status::solved)
    return sentence + "; further on the tool leaves the workspace: " + along.message;
  return sentence + "; try a smaller step or a lower order";
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const BdfOptions& options, const Progress& progress) {
  options.check();
  const bool blockwise = options.form == BdfForm::blockwise ||
                         (options.form == BdfForm::automatic && problem.is_block_triangular());
  if (blockwise && !problem.is_block_triangular())
    throw ProblemError(
        problem.task().where +
        ": an output is a rotor, so the blockwise form does not apply; use form: monolithic");
  const TimeGrid grid = time_grid(problem, options.step);
  Solution solution;
  solution.method = blockwise ? "bdf blockwise" : "bdf monolithic";
  solution.order = options.order;
  solution.step = grid.step;
  const auto clock_start = std::chrono::steady_clock::now();
  const int columns = grid.steps + 1;
  solution.t = Vector::LinSpaced(columns, problem.begin(), problem.end());
  solution.q = start.q.replicate(1, columns);
  solution.v = solution.vdot = Matrix::Zero(problem.robot().nv(), columns);
  solution.u = start.u.replicate(1, columns);
  solution.y = Matrix::Zero(problem.output_count(), columns);
  path_values<double>(problem.path(), problem.begin(), solution.y.col(0));

  const auto failure = blockwise
                           ? solve_blockwise(problem, options, grid, progress, solution)
                           : solve_monolithic(problem, start, options, grid, progress, solution);
  solution.solve_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  if (failure) {
    solution.status = Status::not_converged;
    solution.message = explain(problem, solution, *failure, grid.time(failure->step));
  } else if (solution.status == Status::interrupted) {
    solution.message = fmt::format("interrupted at t = {:.6g} s", grid.time(solution.steps));
  }
  const int kept = solution.steps + 1;
  if (kept < columns) {
    solution.t.conservativeResize(kept);
    for (Matrix* m : {&solution.q, &solution.v, &solution.vdot, &solution.u, &solution.y})
      m->conservativeResize(Eigen::NoChange, kept);
  }
  return solution;
}

}  // namespace

Solution solve(const InverseProblem& problem, const RestState& start, const Method& method,
               const Progress& progress) {
  return std::visit(
      [&](const auto& options) { return solve_with(problem, start, options, progress); }, method);
}

Solution solve(const InverseProblem& problem, const Method& method, const Progress& progress) {
  return solve(problem, consistent_start(problem), method, progress);
}

}  // namespace tauflex
