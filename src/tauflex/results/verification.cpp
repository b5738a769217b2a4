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

double energy_balance_error(const Robot& plant, const Simulation& run) {
  MechanicsData data(plant);
  double first = 0, error = 0, scale = 0;
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    const auto e = energy(plant, data, run.q.col(i), run.v.col(i));
    const double total = e.kinetic + e.potential;
    if (i == 0) first = total;
    error = std::max(error, std::abs(run.work[i] - (total - first) - run.dissipated[i]));
    scale = std::max({scale, e.kinetic, std::abs(run.work[i]), std::abs(total - first)});
  }
  return error / std::max(scale, 1e-6);  // J; a robot that only holds moves no energy
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

void keep_largest(const std::optional<double>& now, std::optional<double>& largest) {
  if (now) largest = std::max(largest.value_or(0), *now);
}

void measure(const Robot& plant, const InverseProblem& problem, Verification& proof) {
  const auto n = proof.t.size();
  const Outputs& outputs = problem.outputs();
  MechanicsData data(plant);
  Vector wanted(outputs.count());
  proof.y = Matrix::Zero(outputs.count(), n);
  proof.tool_error = Vector::Zero(n);
  ConstrainedDynamics dynamics(plant);
  for (Eigen::Index i = 0; i < n; ++i) {
    proof.max_constraint_violation =
        std::max(proof.max_constraint_violation,
                 dynamics.violation(proof.q.col(i), proof.v.col(i), proof.t[i]).position);
    kinematics<double>(plant, data, proof.q.col(i));
    output_values(plant, data, proof.q.col(i), proof.lambda.col(i), outputs, proof.y.col(i));
    path_values<double>(problem.path(), proof.t[i], wanted);
    const auto error = [&](Quantity quantity) {
      return largest_error(outputs, quantity, proof.y.col(i), wanted);
    };
    const std::optional<double> length = error(Quantity::length), angle = error(Quantity::angle);
    keep_largest(length, proof.max_tool_error_m);
    keep_largest(angle, proof.max_orientation_error_rad);
    keep_largest(error(Quantity::force), proof.max_force_error_N);
    proof.tool_error[i] = length ? *length : angle.value_or(0);
  }
  if (proof.max_tool_error_m)
    proof.rms_tool_error_m = std::sqrt(proof.tool_error.squaredNorm() / static_cast<double>(n));
}

void append(Verification& proof, const Simulation& run, Eigen::Index first) {
  proof.t.segment(first, run.t.size()) = run.t;
  proof.q.middleCols(first, run.t.size()) = run.q;
  proof.v.middleCols(first, run.t.size()) = run.v;
  proof.u.middleCols(first, run.t.size()) = run.u;
  proof.lambda.middleCols(first, run.t.size()) = run.lambda;
  proof.integrator = run.integrator;
  proof.integrator_steps += run.steps;
}

}  // namespace

Verification verify(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                    const VerificationOptions& options, const Progress& progress) {
  if (plant.coordinate_names() != problem.robot().coordinate_names() ||
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
  ForwardProblem forward(plant, TorqueSignal(proof.sent.t, proof.sent.u, proof.sent.hold),
                         controller, controlled ? control->sample : 0);
  std::vector<Eigen::Index> starts = {0};
  if (proof.mode == VerificationMode::segments) starts = segment_starts(growth);
  proof.segments = static_cast<int>(starts.size());

  proof.t = solution.t;
  proof.q = solution.q;
  proof.v = solution.v;
  proof.u = solution.u;
  proof.lambda = solution.lambda;
  for (size_t s = 0; s < starts.size(); ++s) {
    const Eigen::Index first = starts[s], last = s + 1 < starts.size() ? starts[s + 1] : n - 1;
    // The last time of a segment is its own: the next one starts there from the solution.
    const Simulation run = simulate(forward, solution.q.col(first), solution.v.col(first), solution.t.segment(first, last - first + 1), options.simulation,
                                    progress ? [&](double x) { return progress((static_cast<double>(first) + x * static_cast<double>(last - first)) / static_cast<double>(n)); } : Progress{});
    append(proof, run, first);
    proof.energy_balance_error =
        std::max(proof.energy_balance_error, energy_balance_error(plant, run));
    if (run.status != Status::solved) {
      proof.status = run.status;
      proof.message = run.message;
      const auto reached = first + run.t.size();
      proof.t.conservativeResize(reached);
      for (Matrix* m : {&proof.q, &proof.v, &proof.u, &proof.lambda})
        m->conservativeResize(Eigen::NoChange, reached);
      break;
    }
  }
  measure(plant, problem, proof);
  if (problem.output_count() == 0 && proof.lambda.size() > 0)
    proof.max_force_error_N =
        (proof.lambda - solution.lambda.leftCols(proof.lambda.cols())).cwiseAbs().maxCoeff();
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
  return proof;
}

}  // namespace tauflex
