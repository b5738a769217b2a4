#include "tauflex/studies/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/fields.hpp"
#include "tauflex/base/progress_parts.hpp"
#include "tauflex/solvers/method_choice.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

std::vector<Field> ComparisonOptions::fields() {
  using namespace describe;
  return {
      integer("order", order, within(1, highest_bdf_order), "of the difference formulas"),
      number("step", step, above(0), "s", "").if_left_out("0.001, less for short paths"),
      number("tolerance", tolerance, between(0, 1), "", "of the variable-step method"),
      boolean("linearised", linearised, "a second time with the dynamics linearised at the start")};
}

void ComparisonOptions::check() const {
  check_fields("compare", ComparisonOptions(*this).fields());
}

namespace {

struct Candidate {
  std::string name;
  Method method;
};

// The joints that motors move: their rates are the dummy derivatives of the paper.
std::vector<std::string> driven_joints(const Robot& robot) {
  std::vector<std::string> names;
  for (const auto& drive : robot.actuation().drives)
    names.push_back("q." +
                    robot.coordinates().names[robot.coordinates().of_velocity[drive.joint_v]]);
  return names;
}

std::vector<Candidate> candidates(const InverseProblem& problem, int index, double step,
                                  const ComparisonOptions& options) {
  std::vector<Candidate> list;
  const auto bdf = [&](BdfForm form, int to_index = 1, std::vector<std::string> dummies = {}) {
    return BdfOptions{.order = options.order,
                      .step = step,
                      .form = form,
                      .index = to_index,
                      .dummies = std::move(dummies)};
  };
  const std::vector<std::string> driven = driven_joints(problem.robot());
  if (index <= 2) {
    list.push_back({"HI", bdf(BdfForm::monolithic)});
    list.push_back({"DD (43)", bdf(BdfForm::extended, 1, driven)});
    list.push_back({"DD (44)", bdf(BdfForm::reduced, 1, driven)});
    list.push_back({"DD (48)", bdf(BdfForm::both_derivatives)});
    list.push_back({"DD (49)", bdf(BdfForm::second_derivatives, 1, driven)});
  } else {
    list.push_back({fmt::format("I{}", index), bdf(BdfForm::monolithic)});
    for (int k = index - 1; k >= 1; --k)
      list.push_back({fmt::format("I{}", k), bdf(BdfForm::reduced, k, driven)});
  }
  for (const auto& [name, closure] :
       {std::pair("KM", ArrayClosure::kunkel_mehrmann), std::pair("DC", ArrayClosure::decoupled)})
    list.push_back({name, ArrayOptions{.closure = closure, .order = options.order, .step = step}});
  list.push_back(
      {"variable step",
       VariableStepOptions{.tolerance = options.tolerance, .step = step, .dummies = driven}});
  if (problem.is_block_triangular()) list.push_back({"blockwise", bdf(BdfForm::blockwise)});
  if (problem.is_algebraic()) list.push_back({"exact", ExactOptions{.step = step}});
  list.push_back({"jets", JetOptions{.step = step}});
  return list;
}

Solution reference(const InverseProblem& problem, const RestState& start, double step) {
  if (problem.is_algebraic()) return solve(problem, start, ExactOptions{.step = step / 2});
  for (const Method& method : std::vector<Method>{
           JetOptions{.tolerance = 1e-11, .step = step / 2},
           ArrayOptions{.closure = ArrayClosure::decoupled, .order = 5, .step = step / 2}}) {
    try {
      Solution found = solve(problem, start, method);
      if (found.status == Status::solved) return found;
    } catch (const ProblemError&) {  // it does not apply
    }
  }
  return solve(problem, start, BdfOptions{.order = 4, .step = step / 2});
}

std::optional<double> torque_error(const InverseProblem& problem, const Solution& solution,
                                   const Solution& truth) {
  if (truth.status != Status::solved || truth.steps != 2 * solution.steps || truth.u.size() == 0)
    return std::nullopt;
  const double from = problem.begin() + 0.1 * problem.path().duration();
  double worst = 0;
  for (int i = 0; i <= solution.steps; ++i)
    if (solution.t[i] >= from - 1e-12)
      worst = std::max(worst, (solution.u.col(i) - truth.u.col(2 * i)).cwiseAbs().maxCoeff());
  return worst / std::max(truth.u.cwiseAbs().maxCoeff(), 1e-300);
}

struct MethodsOfJob {
  const Job& job;
  const ComparisonOptions& options;
  const StageProgress& progress;
  std::string dynamics;
  std::vector<ComparedMethod>& rows;

  void run() {
    const Posed posed = plan(job);
    const InverseProblem& problem = posed.problem;
    const Diagnosis& diagnosis = posed.diagnosis;
    if (const auto reason =
            unsolvable_because(problem, posed.start, diagnosis, posed.growth, BdfOptions{}))
      throw ProblemError(problem.task().where + ": " + *reason);
    // that of the grid, so that half of it is half of the grid of the reference
    const double step =
        time_grid(problem, options.step.value_or(std::min(1e-3, problem.path().duration() / 50)))
            .step();
    const int index = diagnosis.index.available ? diagnosis.index.points.front().differential_index
                                                : diagnosis.differential_index - 1;
    std::vector<Candidate> all = candidates(problem, index, step, options);
    const Method parallel = ParallelOptions{.step = step};
    if (!inapplicable_because(problem, posed.start, parallel))
      all.push_back({"parallel", parallel});
    const double share = 1.0 / static_cast<double>(all.size() + 1);
    const std::string stage = dynamics + ", reference";
    if (progress && !progress(stage.c_str(), 0)) return stopped();
    const Solution truth = reference(problem, posed.start, step);
    for (size_t k = 0; k < all.size(); ++k) {
      const double begin = static_cast<double>(k + 1) * share;
      if (!add(posed, all[k], truth, part_of(progress, begin, begin + share))) return;
    }
  }

  void stopped() {
    rows.push_back({.method = "", .dynamics = dynamics, .status = Status::interrupted});
  }

  // False when the user stopped it.
  bool add(const Posed& posed, const Candidate& candidate, const Solution& truth,
           const StageProgress& part) {
    ComparedMethod row{.method = candidate.name, .dynamics = dynamics};
    const std::string stage = dynamics + ", " + candidate.name;
    const StageProgress first = part_of(part, 0, 0.5), second = part_of(part, 0.5, 1);
    try {
      Solution s =
          solve(posed.problem, posed.start, candidate.method, of_stage(first, stage.c_str()));
      watch_branch(posed.problem, s);
      row.status = s.status;
      row.message = s.message;
      row.order = s.order;
      row.step = s.step;
      row.seconds = s.solve_seconds;
      row.newton_iterations = s.newton_iterations;
      row.condition_unscaled = s.condition_unscaled;
      row.condition = s.condition;
      if (s.status == Status::solved) {
        row.torque_error = torque_error(posed.problem, s, truth);
        if (row.torque_error && s.largest_torque_error() > 0)  // the reference may be the same run
          row.torque_error =
              std::max(*row.torque_error, s.largest_torque_error() / truth.u.cwiseAbs().maxCoeff());
        const Verification proof = verify(posed.plant, posed.problem, s, job.verification,
                                          of_stage(second, stage.c_str()));
        if (proof.status == Status::interrupted) row.status = Status::interrupted;
        row.tool_error_m = proof.max_tool_error_m;
        row.orientation_error_rad = proof.max_orientation_error_rad;
      }
    } catch (const ProblemError& error) {
      row.status = Status::not_solvable;
      row.message = error.what();
    }
    rows.push_back(row);
    return row.status != Status::interrupted;
  }
};

}  // namespace

std::vector<ComparedMethod> compare(const Job& job, const ComparisonOptions& options,
                                    const StageProgress& progress) {
  options.check();
  std::vector<ComparedMethod> rows;
  const bool is_linearised = job.robot.dynamics == DynamicsKind::linearized_at_start;
  const bool once = is_linearised || !options.linearised;
  const StageProgress first = part_of(progress, 0, once ? 1 : 0.5),
                      second = part_of(progress, 0.5, 1);
  MethodsOfJob{job, options, first, is_linearised ? "linearised" : "nonlinear", rows}.run();
  const bool stopped = !rows.empty() && rows.back().status == Status::interrupted;
  if (once || stopped) return rows;
  Job linear = job;
  linear.robot.dynamics = linear.plant.dynamics = DynamicsKind::linearized_at_start;
  try {
    MethodsOfJob{linear, options, second, "linearised", rows}.run();
  } catch (const std::runtime_error& error) {  // such as reactions, which need bodies
    rows.push_back({.method = "all",
                    .dynamics = "linearised",
                    .status = Status::not_solvable,
                    .message = error.what()});
  }
  return rows;
}

}  // namespace tauflex
