#include "tauflex/results/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/analysis/diagnosis.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/results/measured_times.hpp"
#include "tauflex/results/plant_motion.hpp"

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

std::vector<Eigen::Index> segment_starts(const Vector& log_growth) {
  std::vector<Eigen::Index> starts = {0};
  for (Eigen::Index i = 1; i + 1 < log_growth.size(); ++i)
    if (log_growth[i] > std::log(most_growth_in_segment) + log_growth[starts.back()])
      starts.push_back(i);
  return starts;
}

namespace {

// Always more than one, else it would be an open-loop run.
std::vector<Eigen::Index> several_segments(const Vector& log_growth) {
  std::vector<Eigen::Index> starts = segment_starts(log_growth);
  if (starts.size() == 1)
    for (int k = 1; k < 4; ++k) starts.push_back(log_growth.size() * k / 4);
  return starts;
}

// Of the tool at times between the columns of the table.
struct ErrorsBetween {
  double squares = 0;  // m^2 or rad^2
  Eigen::Index count = 0;
};

// Measures a run at each of its times and keeps it for tables. Where two segments meet both count:
// the end of the one before and the start of this one. The table has one column for them, that of
// the larger tool error.
void add(const Simulation& run, const Measurements& measured, const Robot& plant,
         const PlantMotion& motion, const InverseProblem& problem, const Solution& solution,
         Verification& proof, ErrorsBetween& between) {
  const Outputs& outputs = motion.outputs();
  MechanicsData data(plant);
  ConstrainedDynamics dynamics(plant);
  Vector y(outputs.count()), wanted = y;
  OutputErrors largest = proof.errors();
  for (Eigen::Index k = 0; k < run.t.size(); ++k) {
    const Eigen::Index i = measured.column[k];
    const auto q = run.q.col(k), lambda = run.lambda.col(k);
    proof.max_constraint_violation = std::max(
        proof.max_constraint_violation, dynamics.violation(q, run.v.col(k), run.t[k]).position);
    kinematics<double>(plant, data, q);
    output_values(plant, data, q, lambda, outputs, y);
    path_values<double>(problem.path(), run.t[k], wanted);
    OutputErrors error = output_errors_of(outputs, y, wanted);
    if (outputs.count() == 0 && lambda.size() > 0 && i >= 0 && motion.is_alike())
      error.force = (lambda - solution.lambda.col(i)).cwiseAbs().maxCoeff();
    largest.raise(error);
    proof.output_errors = proof.output_errors.cwiseMax(errors_of_each(outputs, y, wanted));
    const double tool_error = error.length ? *error.length : error.angle.value_or(0);
    if (i < 0) {
      between.squares += tool_error * tool_error;
      ++between.count;
      continue;
    }
    if (k == 0 && i > 0 && tool_error <= proof.tool_error[i]) continue;
    proof.t[i] = run.t[k];
    motion.to_robot(q, run.v.col(k), proof.q.col(i), proof.v.col(i));
    proof.u.col(i) = run.u.col(k);
    if (lambda.size() == proof.lambda.rows()) proof.lambda.col(i) = lambda;
    proof.y.col(i) = y;
    proof.tool_error[i] = tool_error;
  }
  proof.max_tool_error_m = largest.length;
  proof.max_orientation_error_rad = largest.angle;
  proof.max_force_error_N = largest.force;
  proof.integrator = run.integrator;
  proof.integrator_steps += run.steps;
}

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

// How many columns of the solution lie among the first `times` times of a segment.
Eigen::Index columns_reached(const Measurements& measured, Eigen::Index times) {
  return std::count_if(measured.column.begin(), measured.column.begin() + times,
                       [](Eigen::Index column) { return column >= 0; });
}

// The run ended early: nothing is known after that.
void keep_columns(Eigen::Index reached, Verification& proof) {
  for (Vector* x : {&proof.t, &proof.tool_error}) x->conservativeResize(reached);
  for (Matrix* m : {&proof.q, &proof.v, &proof.u, &proof.lambda, &proof.y})
    m->conservativeResize(Eigen::NoChange, reached);
}

void judge(const InverseProblem& problem, const VerificationOptions& options,
           const ErrorsBetween& between, Verification& proof) {
  if (proof.max_tool_error_m)
    proof.rms_tool_error_m =
        std::sqrt((proof.tool_error.squaredNorm() + between.squares) /
                  static_cast<double>(proof.tool_error.size() + between.count));
  if (proof.status != Status::solved) return;
  const std::optional<std::string> why = above_tolerance(proof.errors(), proof.tolerance);
  if (why || !proof.covered.is_whole()) {
    proof.status = Status::missed;
    proof.message = why ? *why : coverage_text(problem, proof.covered);
  } else if (const auto doubt = above_own_motion(problem, options, proof.tolerance,
                                                 proof.output_errors, proof.output_motions)) {
    proof.status = Status::missed;
    proof.message = proof.doubt = *doubt;
  }
}

// The tightest of lengths and angles; that of forces where there are no others.
double tightest(const OutputErrors& tolerance) {
  const double none = std::numeric_limits<double>::infinity();
  const double motion = std::min(tolerance.length.value_or(none), tolerance.angle.value_or(none));
  return motion < none ? motion : tolerance.force.value_or(none);
}

// What is known before the run: yardstick, growth, mode, and room for the columns of the solution.
// Returns the logarithm of the growth so far, per column.
Vector prepare(const Robot& plant, bool is_alike, const InverseProblem& problem,
               const Solution& solution, const VerificationOptions& options, Verification& proof) {
  proof.standing_still = standing_still(problem, solution);
  proof.output_motions = standing_still_of_each(problem, solution);
  proof.output_errors = Vector::Zero(problem.output_count());
  proof.tolerance = tolerances(options, proof.standing_still);
  proof.covered = coverage(problem, solution.t);
  const auto n = solution.t.size();
  const Vector log_growth =
      options.measure_growth
          ? log_growth_along(is_alike ? plant : problem.robot(), solution.t, solution.q, solution.v,
                             solution.vdot, solution.lambda)
          : Vector(Vector::Zero(n));
  proof.log_growth = log_growth[n - 1];
  proof.mode = options.mode;
  if (proof.mode == VerificationMode::automatic)
    proof.mode = !is_alike || proof.growth() * integrator_noise < tightest(proof.tolerance)
                     ? VerificationMode::open_loop
                     : VerificationMode::segments;
  proof.t = solution.t;
  proof.q = solution.q;
  proof.v = solution.v;
  proof.u = solution.u;
  proof.lambda = solution.lambda;
  proof.y = Matrix::Zero(problem.output_count(), n);
  proof.tool_error = Vector::Zero(n);
  return log_growth;
}

}  // namespace

Verification verify(const Robot& plant, const InverseProblem& problem, const Solution& solution,
                    const VerificationOptions& options, const Progress& progress) {
  options.check();
  const PlantMotion motion(plant, problem);
  if (!motion.is_alike() && options.mode == VerificationMode::segments)
    throw InputError(
        "verification.mode: segments start from the solution's motion, which a plant with other "
        "springs does not have; use open_loop or feedback");
  Verification proof;
  const Vector log_growth = prepare(plant, motion.is_alike(), problem, solution, options, proof);
  ForwardProblem forward = forward_problem(plant, problem, solution, options, proof);
  const bool controlled = proof.mode == VerificationMode::feedback;
  const double sample = controlled && options.controller ? options.controller->sample : 0;
  const MeasuringRule rule = measuring_rule(problem, plant, solution, sample);
  std::vector<Eigen::Index> starts = {0};
  if (proof.mode == VerificationMode::segments) starts = several_segments(log_growth);
  proof.segments = static_cast<int>(starts.size());
  const auto n = solution.t.size();
  starts.push_back(n - 1);
  ErrorsBetween between;
  for (int s = 0; s < proof.segments && proof.status == Status::solved; ++s) {
    const Eigen::Index first = starts[s], steps = starts[s + 1] - first;
    const Measurements measured = measured_times(solution.t, first, first + steps, rule);
    const Progress of_segment = [&](double x) {
      return !progress || progress((static_cast<double>(first) + x * static_cast<double>(steps)) /
                                   static_cast<double>(n));
    };
    // It ends where the next one starts from the solution.
    const Simulation run = motion.is_alike()
                               ? simulate(forward, solution.q.col(first), solution.v.col(first),
                                          measured.t, options.simulation, of_segment)
                               : simulate(forward, motion.start(), Vector::Zero(plant.nv()),
                                          measured.t, options.simulation, of_segment);
    add(run, measured, plant, motion, problem, solution, proof, between);
    if (controlled)
      proof.commanded = SentTorques{run.t, run.u, sample > 0 ? Hold::held : Hold::linear};
    proof.energy_balance_error =
        std::max(proof.energy_balance_error, energy_balance_error(plant, run));
    proof.status = run.status;
    proof.message = run.message;
    if (run.status != Status::solved)
      keep_columns(first + columns_reached(measured, run.t.size()), proof);
  }
  judge(problem, options, between, proof);
  return proof;
}

}  // namespace tauflex
