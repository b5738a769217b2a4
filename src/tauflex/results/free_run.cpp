#include "tauflex/results/free_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {

namespace {

constexpr double most_energy_error = 1e-4;  // a run at the default tolerance stays below 1e-9

// The plant, where it starts, and what commands it.
struct Setup {
  Robot plant;
  Vector q, v;
  double begin, end;
  Vector t;  // torque table
  Matrix u;
  std::vector<Output> outputs;
  std::shared_ptr<Controller> controller = {};
  Hold hold = Hold::linear;
  Status status = Status::solved;  // of the solution that a controller follows
  std::string message = {};
};

Setup of_plant_alone(const Job& job) {
  const PosedPlant posed = pose_plant(job);
  const auto drives = static_cast<Eigen::Index>(posed.plant.drives().size());
  return {posed.plant, posed.q, posed.v, 0, 0, Vector::Zero(1), Matrix::Zero(drives, 1), {}};
}

Setup of_task(const Job& job, const StageProgress& progress) {
  const auto [posed_problem, start, plant, posture, self_motion] = pose(job);
  std::optional<Method> method;
  if (job.controller)
    method = solvable_method(posed_problem, start,
                             diagnose(posed_problem, quasi_static_points(posed_problem, start)),
                             job.method);
  const InverseProblem problem =
      method ? with_window(posed_problem, start, *method) : posed_problem;
  Setup setup{plant,           start.q,          Vector::Zero(plant.nv()),
              problem.begin(), problem.end(),    Vector::Constant(1, problem.begin()),
              start.u,         problem.outputs()};
  if (job.simulation.has_start) {
    const PosedPlant posed = pose_plant(job);
    setup.q = posed.q;
    setup.v = posed.v;
    setup.u.setZero();
  }
  if (job.controller) {
    Solution solution =
        solve(problem, start, *method,
              progress ? [&](double x) { return progress("solving", x); } : Progress{});
    watch_branch(problem, solution);
    setup.status = solution.status;
    setup.message = solution.message;
    if (solution.status != Status::solved) return setup;
    setup.controller = make_controller(*job.controller, plant, problem, solution);
    const SentTorques sent =
        sent_torques(job.controller, problem, solution, job.verification.torque);
    setup.t = sent.t;
    setup.u = sent.u;
    setup.hold = sent.hold;
  }
  return setup;
}

}  // namespace

FreeRun simulate_job(const Job& job, const FreeRunOptions& options, const StageProgress& progress) {
  Setup setup = job.has_task() ? of_task(job, progress) : of_plant_alone(job);
  if (!job.has_task() && job.controller)
    throw InputError(job.name + ": a controller needs a task to follow");
  if (setup.status != Status::solved) {
    FreeRun none{{}, {}, 0, 0, setup.plant, {}};
    none.simulation.status = setup.status;
    none.simulation.message = setup.message;
    return none;
  }
  if (!options.torques.empty()) {
    const TorqueColumns table = read_torques(options.torques, setup.plant);
    setup.t = table.t;
    setup.u = table.u;
    setup.begin = table.t[0];
    setup.end = table.t[table.t.size() - 1];
  }
  const double rate = options.rate.value_or(job.simulation.rate);
  const double span = options.duration.value_or(job.simulation.duration && options.torques.empty()
                                                    ? *job.simulation.duration
                                                    : setup.end - setup.begin);
  const auto samples = static_cast<Eigen::Index>(std::floor(span * rate + 1e-9)) + 1;
  const Vector times =
      setup.begin + Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1)).array() / rate;
  if (!job.controller || (!options.torques.empty() && job.controller->measures()))
    setup.hold = job.verification.torque;
  else if (!options.torques.empty())
    setup.hold = job.controller->hold;
  // a table has samples only
  const Hold hold = setup.t.size() > 1 && (setup.hold != Hold::exact || options.torques.empty())
                        ? setup.hold
                        : Hold::smooth;
  const double sample = setup.controller ? job.controller->sample : 0;
  ForwardProblem forward(setup.plant, TorqueSignal(setup.t, setup.u, hold), setup.controller,
                         sample);
  Simulation simulation =
      simulate(forward, setup.q, setup.v, times, job.verification.simulation,
               progress ? [&](double x) { return progress("simulating", x); } : Progress{});
  FreeRun run{std::move(simulation), {}, 0, 0, setup.plant, setup.outputs, setup.t.size() > 1};
  run.hold = hold;
  const Simulation& s = run.simulation;
  run.energy_balance_error = energy_balance_error(run.plant, s);
  if (s.status == Status::solved && run.energy_balance_error > most_energy_error) {
    run.simulation.status = Status::not_converged;
    run.simulation.message = fmt::format(
        "the energy does not balance ({:.2g} of what moved): the integration lost its way, perhaps "
        "at a singular position; try other tolerances",
        run.energy_balance_error);
  }
  MechanicsData data(run.plant);
  ConstrainedDynamics dynamics(run.plant);
  run.y = Matrix::Zero(static_cast<Eigen::Index>(setup.outputs.size()), s.t.size());
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    kinematics<double>(run.plant, data, s.q.col(i));
    output_values(run.plant, data, s.q.col(i), s.lambda.col(i), setup.outputs, run.y.col(i));
    run.max_constraint_violation = std::max(
        run.max_constraint_violation, dynamics.violation(s.q.col(i), s.v.col(i), s.t[i]).position);
  }
  return run;
}

Table free_run_table(const Job& job, const FreeRun& run) {
  Table table;
  table.columns = {"t"};
  const Robot& plant = run.plant;
  for (const auto& name : plant.coordinate_names()) table.columns.push_back("q." + name);
  for (const auto& name : plant.velocity_names()) table.columns.push_back("v." + name);
  for (const auto& name : plant.drive_names()) table.columns.push_back("u." + name);
  for (const auto& row : plant.constraints()) table.columns.push_back("lambda." + row.name);
  for (const Output& output : run.outputs) table.columns.push_back("y." + output.name);
  const Simulation& s = run.simulation;
  Matrix reactions(0, s.t.size());
  if (job.reactions)
    reactions = reaction_rows(plant, s.q, s.v, s.vdot, s.lambda, *job.reactions, table.columns);
  table.values.resize(s.t.size(), static_cast<Eigen::Index>(table.columns.size()));
  table.values << s.t, s.q.transpose(), s.v.transpose(), s.u.transpose(), s.lambda.transpose(),
      run.y.transpose(), reactions.transpose();
  return table;
}

}  // namespace tauflex
