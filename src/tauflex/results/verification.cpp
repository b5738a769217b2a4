#include "tauflex/results/verification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/kinematics.hpp"

namespace tauflex {

Vector energy_imbalance(const Robot& plant, const Simulation& run) {
  MechanicsData data(plant);
  Vector error = Vector::Zero(run.t.size());
  double first = 0, scale = 1e-6;  // J; a robot that only holds moves no energy
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    const auto e = energy(plant, data, run.q.col(i), run.v.col(i));
    const double total = e.kinetic + e.potential;
    if (i == 0) first = total;
    error[i] = std::abs(run.work[i] - (total - first) - run.dissipated[i]);
    scale = std::max({scale, e.kinetic, std::abs(run.work[i]), std::abs(total - first)});
  }
  return error / scale;
}

double energy_balance_error(const Robot& plant, const Simulation& run) {
  return run.t.size() > 0 ? energy_imbalance(plant, run).maxCoeff() : 0;
}

namespace {

constexpr double integrator_noise = 1e-10;  // rad: what a tight integrator leaves in the positions
constexpr double most_growth_in_segment = 1e3;

// First columns of the segments: a new one when errors have grown by most_growth_in_segment.
std::vector<Eigen::Index> segment_starts(const Vector& growth) {
  std::vector<Eigen::Index> starts = {0};
  for (Eigen::Index i = 1; i + 1 < growth.size(); ++i)
    if (growth[i] > most_growth_in_segment * growth[starts.back()]) starts.push_back(i);
  if (starts.size() == 1)  // always more than one, else it would be an open-loop run
    for (int k = 1; k < 4; ++k) starts.push_back(growth.size() * k / 4);
  return starts;
}

void raise(std::optional<double>& largest, const std::optional<double>& value) {
  if (value) largest = std::max(largest.value_or(0), *value);
}

// Measures a run at each of its times and keeps it for tables from column `first` on. Where two
// segments meet both count: the end of the one before and the start of this one. The table has
// one column for them, that of the larger tool error.
void add(const Simulation& run, Eigen::Index first, const Robot& plant,
         const InverseProblem& problem, const Solution& solution, Verification& proof) {
  const Outputs& outputs = problem.outputs();
  MechanicsData data(plant);
  ConstrainedDynamics dynamics(plant);
  Vector y(outputs.count()), wanted = y;
  for (Eigen::Index k = 0; k < run.t.size(); ++k) {
    const Eigen::Index i = first + k;
    const auto q = run.q.col(k), lambda = run.lambda.col(k);
    proof.max_constraint_violation = std::max(
        proof.max_constraint_violation, dynamics.violation(q, run.v.col(k), run.t[k]).position);
    kinematics<double>(plant, data, q);
    output_values(plant, data, q, lambda, outputs, y);
    path_values<double>(problem.path(), run.t[k], wanted);
    const std::optional<double> length = largest_error(outputs, Quantity::length, y, wanted),
                                angle = largest_error(outputs, Quantity::angle, y, wanted);
    raise(proof.max_tool_error_m, length);
    raise(proof.max_orientation_error_rad, angle);
    raise(proof.max_force_error_N, largest_error(outputs, Quantity::force, y, wanted));
    if (outputs.count() == 0 && lambda.size() > 0)
      raise(proof.max_force_error_N, (lambda - solution.lambda.col(i)).cwiseAbs().maxCoeff());
    const double tool_error = length ? *length : angle.value_or(0);
    if (k == 0 && first > 0 && tool_error <= proof.tool_error[i]) continue;
    proof.t[i] = run.t[k];
    proof.q.col(i) = q;
    proof.v.col(i) = run.v.col(k);
    proof.u.col(i) = run.u.col(k);
    proof.lambda.col(i) = lambda;
    proof.y.col(i) = y;
    proof.tool_error[i] = tool_error;
  }
  proof.integrator = run.integrator;
  proof.integrator_steps += run.steps;
}

}  // namespace

namespace {

// The torques that are sent, the controller of mode feedback, and the plant under both.
ForwardProblem forward_problem(const Robot& plant, const InverseProblem& problem,
                               const Solution& solution, const VerificationOptions& options,
                               Verification& proof) {
  std::shared_ptr<Controller> controller;
  std::optional<ControllerOptions> control = options.controller;
  const bool controlled = proof.mode == VerificationMode::feedback;
  if (controlled) {
    if (!control) control.emplace();
    controller = make_controller(*control, plant, problem, solution);
    proof.controller = controller_text(*control);
  } else if (control && control->measures()) {
    control.reset();
  }
  proof.sent = sent_torques(control, problem, solution, options.torque);
  proof.torque = proof.sent.hold;
  return ForwardProblem(plant, TorqueSignal(proof.sent.t, proof.sent.u, proof.sent.hold),
                        controller, controlled ? control->sample : 0);
}

// The run ended early: nothing is known after that.
void keep_columns(Eigen::Index reached, Verification& proof) {
  for (Vector* x : {&proof.t, &proof.tool_error}) x->conservativeResize(reached);
  for (Matrix* m : {&proof.q, &proof.v, &proof.u, &proof.lambda, &proof.y})
    m->conservativeResize(Eigen::NoChange, reached);
}

void judge(const VerificationOptions& options, Verification& proof) {
  if (proof.max_tool_error_m)
    proof.rms_tool_error_m =
        std::sqrt(proof.tool_error.squaredNorm() / static_cast<double>(proof.tool_error.size()));
  const double worst =
      std::max(proof.max_tool_error_m.value_or(0), proof.max_orientation_error_rad.value_or(0));
  if (proof.status == Status::solved && !(worst <= options.tolerance)) {
    proof.status = Status::missed;
    proof.message = fmt::format("the error of the tool is {:.3g}, above the tolerance of {:.3g} {}",
                                worst, options.tolerance, proof.max_tool_error_m ? "m" : "rad");
  }
  if (proof.status == Status::solved &&
      proof.max_force_error_N.value_or(0) > options.force_tolerance) {
    proof.status = Status::missed;
    proof.message =
        fmt::format("the error of the force is {:.3g} N, above the tolerance of {:.3g} N",
                    *proof.max_force_error_N, options.force_tolerance);
  }
}

}  // namespace

Verification verify(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                    const VerificationOptions& options, const Progress& progress) {
  options.check();
  if (plant.coordinates().names != problem.robot().coordinates().names ||
      plant.constraint_count() != problem.robot().constraint_count())
    throw InputError(
        "verification.plant: the plant must have the same joints, drives and constraints as the "
        "robot");
  Verification proof;
  const Vector growth =
      growth_along(plant, solution.t, solution.q, solution.v, solution.vdot, solution.lambda);
  const auto n = solution.t.size();
  proof.growth = growth[n - 1];
  proof.mode = options.mode;
  if (proof.mode == VerificationMode::automatic)
    proof.mode = proof.growth * integrator_noise < options.tolerance ? VerificationMode::open_loop
                                                                     : VerificationMode::segments;
  ForwardProblem forward = forward_problem(plant, problem, solution, options, proof);
  std::vector<Eigen::Index> starts = {0};
  if (proof.mode == VerificationMode::segments) starts = segment_starts(growth);
  proof.segments = static_cast<int>(starts.size());

  proof.t = solution.t;
  proof.q = solution.q;
  proof.v = solution.v;
  proof.u = solution.u;
  proof.lambda = solution.lambda;
  proof.y = Matrix::Zero(problem.output_count(), n);
  proof.tool_error = Vector::Zero(n);
  starts.push_back(n - 1);
  for (int s = 0; s < proof.segments && proof.status == Status::solved; ++s) {
    const Eigen::Index first = starts[s], steps = starts[s + 1] - first;
    const Progress of_segment = [&](double x) {
      return !progress || progress((static_cast<double>(first) + x * static_cast<double>(steps)) /
                                   static_cast<double>(n));
    };
    // It ends where the next one starts from the solution.
    const Simulation run =
        simulate(forward, solution.q.col(first), solution.v.col(first),
                 solution.t.segment(first, steps + 1), options.simulation, of_segment);
    add(run, first, plant, problem, solution, proof);
    proof.energy_balance_error =
        std::max(proof.energy_balance_error, energy_balance_error(plant, run));
    proof.status = run.status;
    proof.message = run.message;
    if (run.status != Status::solved) keep_columns(first + run.t.size(), proof);
  }
  judge(options, proof);
  return proof;
}

}  // namespace tauflex
