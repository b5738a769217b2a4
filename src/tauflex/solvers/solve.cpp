#include "tauflex/solvers/solve.hpp"

#include <fmt/format.h>

#include <chrono>

#include "tauflex/base/errors.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/solvers/array_methods.hpp"
#include "tauflex/solvers/bdf.hpp"
#include "tauflex/solvers/exact.hpp"
#include "tauflex/solvers/formulation.hpp"
#include "tauflex/solvers/jets.hpp"
#include "tauflex/solvers/parallel.hpp"
#include "tauflex/solvers/stable_inversion.hpp"
#include "tauflex/solvers/variable_step.hpp"

namespace tauflex {

namespace {

// Why a step failed, in words: most often the tool has left the workspace.
std::string explain(const InverseProblem& problem, const Solution& solution,
                    const StepFailure& failure, double t) {
  const std::string sentence = fmt::format("t = {:.6g} s: {}", t, failure.sentence());
  if (!failure.reason.empty()) return sentence;
  const RestState still = rest_state(problem, t, solution.q.col(solution.steps));
  if (still.status != Status::solved)
    return sentence + "; the tool leaves the workspace: " + still.message;
  if (output_independence(problem, solution.q.col(solution.steps)) < 0.02)
    return sentence + "; the arm is close to a singular pose there, at " +
           pose_text(problem.robot(), solution.q.col(solution.steps));
  RestState along = still;  // the path may run out of reach a little later
  for (int i = 1; i <= 20 && along.status == Status::solved; ++i)
    along = rest_state(problem, t + (problem.end() - t) * i / 20, along.q);
  if (along.status != Status::solved)
    return sentence + "; further on the tool leaves the workspace: " + along.message;
  if (solution.order == 0) return sentence + "; a slower path may help";
  return sentence + "; try a smaller step or a lower order";
}

void keep_columns(int kept, Solution& solution) {
  if (kept >= solution.t.size()) return;
  solution.t.conservativeResize(kept);
  if (solution.iterations.size() > kept) solution.iterations.conservativeResize(kept);
  for (Matrix* m :
       {&solution.q, &solution.v, &solution.vdot, &solution.u, &solution.lambda, &solution.y})
    m->conservativeResize(Eigen::NoChange, kept);
}

// The frame that all methods share: arrays, clock, status.
template <class Steps>
Solution on_grid(const InverseProblem& problem, const RestState& start, std::string method,
                 int order, double step, const Steps& solve_steps) {
  const TimeGrid grid = time_grid(problem, step);
  Solution solution;
  solution.method = std::move(method);
  solution.order = order;
  solution.step = grid.step();
  solution.window = problem.window();
  const auto clock_start = std::chrono::steady_clock::now();
  const int columns = grid.steps + 1;
  solution.t = Vector::LinSpaced(columns, problem.begin(), problem.end());
  solution.q = start.q.replicate(1, columns);
  solution.v = solution.vdot = Matrix::Zero(problem.robot().nv(), columns);
  solution.u = start.u.replicate(1, columns);
  solution.lambda = start.lambda.replicate(1, columns);
  solution.y = Matrix::Zero(problem.output_count(), columns);
  path_values<double>(problem.path(), problem.begin(), solution.y.col(0));

  const std::optional<StepFailure> failure = solve_steps(grid, solution);
  solution.solve_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  if (failure) {
    solution.status = Status::not_converged;
    solution.message = explain(problem, solution, *failure, grid.time(failure->step));
  } else if (solution.status == Status::interrupted) {
    solution.message = fmt::format("interrupted at t = {:.6g} s", grid.time(solution.steps));
  }
  keep_columns(solution.steps + 1, solution);
  return solution;
}

// Multistep formulas take the past from a robot at rest.
void require_rest(const InverseProblem& problem) {
  const auto check = [&](const char* what, const std::string& name, double rate) {
    if (std::abs(rate) > 1e-9)
      throw ProblemError(fmt::format(
          "{}: {} '{}' already moves at the start ({:.3g} per second), but this method starts at "
          "rest; let it start smoothly",
          problem.task().where, what, name, rate));
  };
  Vector rates(problem.robot().constraint_count());
  constraint_rates(problem.robot(), problem.begin(), rates);
  for (Eigen::Index i = 0; i < rates.size(); ++i)
    check("constraint", problem.robot().constraints()[i].name, rates[i]);
  Matrix y(problem.output_count(), 2);
  problem.path().derivatives(problem.begin(), y);
  for (Eigen::Index i = 0; i < y.rows(); ++i)
    check("output", problem.outputs().rows[i].name, y(i, 1));
}

// Forms in all unknowns need as many equations.
void require_square(const InverseProblem& problem) {
  if (problem.is_redundant())
    throw ProblemError(problem.task().where +
                       ": more drives than outputs: the least torque is found by jets, and by bdf "
                       "with form: blockwise");
}

bool is_blockwise(const InverseProblem& problem, const BdfOptions& options) {
  return options.form == BdfForm::blockwise ||
         (options.form == BdfForm::automatic && problem.is_block_triangular());
}

void require(const InverseProblem& problem, const RestState& start, const BdfOptions& options) {
  require_rest(problem);
  const bool blockwise = is_blockwise(problem, options);
  if (blockwise && !problem.is_block_triangular())
    throw ProblemError(
        problem.task().where +
        ": an output is a rotor, so the blockwise form does not apply; use form: monolithic");
  if (blockwise && (!options.dummies.empty() || options.scaling != Scaling::automatic))
    throw ProblemError(
        problem.task().where +
        ": method.bdf: dummies and scaling belong to forms in all unknowns, and this "
        "one is blockwise");
  if (blockwise) return;
  require_square(problem);
  const BdfForm form = options.form == BdfForm::automatic ? BdfForm::monolithic : options.form;
  Formulation(problem, start, form, options.index, options.dummies);
}

void require(const InverseProblem& problem, const RestState&, const ExactOptions&) {
  if (problem.is_algebraic()) return;
  throw ProblemError(problem.task().where +
                     (has_elastic_drives(problem.robot())
                          ? ": the exact method needs rigid drives; use bdf"
                          : ": outputs and constraints do not determine every joint, so there is "
                            "something to integrate; use bdf"));
}

void require(const InverseProblem& problem, const RestState&, const ArrayOptions&) {
  require_rest(problem);
  require_square(problem);
}

void require(const InverseProblem& problem, const RestState& start,
             const VariableStepOptions& options) {
  require_rest(problem);
  require_square(problem);
  Formulation(problem, start, BdfForm::reduced, 1, options.dummies);
}

void require(const InverseProblem& problem, const RestState& start, const JetOptions&) {
  require_rest(problem);
  require_jets(problem, start);
  InternalDynamics dynamics(problem);
  InternalSeries series(dynamics);
}

void require(const InverseProblem& problem, const RestState& start,
             const StableInversionOptions& options) {
  require(problem, start, JetOptions{});
  if (InternalDynamics(problem).freedom() == 0)
    throw ProblemError(problem.task().where +
                       ": outputs and constraints determine every joint; use jets");
  if (const auto reason = no_bounded_solution(bounded_horizon(problem, start, options)))
    throw ProblemError(problem.task().where + ": " + *reason);
}

void require(const InverseProblem& problem, const RestState& start,
             const ParallelOptions& options) {
  require_rest(problem);
  require_parallel(problem, start, options);
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const ParallelOptions& options, const Progress& progress) {
  return on_grid(problem, start, parallel_name(options), options.delta > 0.5 ? 1 : 2, options.step,
                 [&](const TimeGrid& grid, Solution& solution) {
                   return solve_parallel(problem, start, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const BdfOptions& options, const Progress& progress) {
  const bool blockwise = is_blockwise(problem, options);
  return on_grid(problem, start, blockwise ? "bdf blockwise" : "bdf monolithic", options.order,
                 options.step, [&](const TimeGrid& grid, Solution& solution) {
                   return blockwise
                              ? solve_blockwise(problem, start, options, grid, progress, solution)
                              : solve_monolithic(problem, start, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const ExactOptions& options, const Progress& progress) {
  return on_grid(problem, start, "exact", 0, options.step,
                 [&](const TimeGrid& grid, Solution& solution) {
                   return solve_exact(problem, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const ArrayOptions& options, const Progress& progress) {
  const bool decoupled = options.closure == ArrayClosure::decoupled;
  return on_grid(problem, start, decoupled ? "decoupled" : "kunkel_mehrmann", options.order,
                 options.step, [&](const TimeGrid& grid, Solution& solution) {
                   return solve_by_array(problem, start, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const VariableStepOptions& options, const Progress& progress) {
  return on_grid(problem, start, "variable_step", 0, options.step,
                 [&](const TimeGrid& grid, Solution& solution) {
                   return solve_variable_step(problem, start, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const JetOptions& options, const Progress& progress) {
  return on_grid(problem, start, "jets", 0, options.step,
                 [&](const TimeGrid& grid, Solution& solution) {
                   return solve_by_jets(problem, start, options, grid, progress, solution);
                 });
}

Solution solve_with(const InverseProblem& problem, const RestState& start,
                    const StableInversionOptions& options, const Progress& progress) {
  const BoundedHorizon horizon = bounded_horizon(problem, start, options);
  const InverseProblem widened = problem.with_window(horizon.reported);
  return on_grid(widened, start, "stable_inversion", 0, options.step,
                 [&](const TimeGrid& grid, Solution& solution) {
                   return solve_stably(widened, start, options, horizon, grid, progress, solution);
                 });
}

}  // namespace

void require_method(const InverseProblem& problem, const RestState& start, const Method& method) {
  std::visit([&](const auto& options) { require(problem, start, options); }, method);
}

Solution solve(const InverseProblem& problem, const RestState& start, const Method& method,
               const Progress& progress) {
  std::visit([](const auto& options) { options.check(); }, method);
  require_method(problem, start, method);
  return std::visit(
      [&](const auto& options) { return solve_with(problem, start, options, progress); }, method);
}

Solution solve(const InverseProblem& problem, const Method& method, const Progress& progress) {
  return solve(problem, consistent_start(problem), method, progress);
}

MotionRegularity watch_branch(const InverseProblem& problem, Solution& solution) {
  MotionRegularity found =
      regularity_along(problem, solution.t, solution.q, solution.v, solution.dense.get());
  if (found.stop < 0 || solution.status == Status::interrupted) return found;
  solution.status = found.jumped ? Status::not_converged : Status::not_solvable;
  solution.message = found.sentence;
  solution.steps = found.stop;
  keep_columns(found.stop + 1, solution);
  return found;
}

}  // namespace tauflex
