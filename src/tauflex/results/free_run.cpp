#include "tauflex/results/free_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "tauflex/base/sizes.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/results/answer.hpp"
#include "tauflex/results/extra_columns.hpp"
#include "tauflex/results/plant_motion.hpp"
#include "tauflex/results/trajectory_tables.hpp"

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
  Outputs outputs;
  std::shared_ptr<Controller> controller = {};
  // The controller's, s; 0: continuous.
  double sample = 0;
  Hold hold = Hold::linear;
  Status status = Status::solved;  // of the solution that a controller follows
  std::string message = {};
};

Setup of_plant_alone(const Job& job) {
  if (job.controller) throw InputError(job.name + ": a controller needs a task to follow");
  const PosedPlant posed = pose_plant(job);
  const auto drives = static_cast<Eigen::Index>(posed.plant.actuation().drives.size());
  return {posed.plant, posed.q, posed.v, 0, 0, Vector::Zero(1), Matrix::Zero(drives, 1), {}};
}

// The torques of the solution and the controller that follows it, over the window of the solution.
void command(const Job& job, const Posed& posed, const StageProgress& progress, Setup& setup) {
  posed.require_solvable();
  const Solution solution = answer(posed, of_stage(progress, "solving")).solution;
  if (solution.t.size() == 0) throw ProblemError(solution.message);
  const InverseProblem problem = posed.problem.with_window(solution.window);
  setup.begin = problem.begin();
  setup.end = problem.end();
  setup.status = solution.status;
  setup.message = solution.message;
  if (solution.status != Status::solved) return;
  setup.controller = make_controller(*job.controller, setup.plant, problem, solution);
  setup.sample = setup.controller ? job.controller->sample : 0;
  const SentTorques sent = sent_torques(job.controller, problem, solution, job.verification.torque);
  setup.t = sent.t;
  setup.u = sent.u;
  setup.hold = sent.hold;
}

Setup of_task(const Job& job, const StageProgress& progress) {
  const Posed posed = plan(job);
  const InverseProblem& problem = posed.problem;
  const PlantMotion motion(posed.plant, problem);
  Setup setup{posed.plant,
              motion.is_alike() ? posed.start.q : motion.start(),
              Vector::Zero(posed.plant.nv()),
              problem.begin(),
              problem.end(),
              Vector::Constant(1, problem.begin()),
              posed.start.u,
              motion.outputs()};
  if (job.simulation.has_start) {
    const PosedPlant elsewhere = pose_plant(job);
    setup.q = elsewhere.q;
    setup.v = elsewhere.v;
    setup.u.setZero();
  }
  if (job.controller) command(job, posed, progress, setup);
  return setup;
}

// Torques that the job gives, in place of those that hold the start.
void take_given(const GivenTorques& given, Setup& setup) {
  const TorqueCommand command = torque_command(given, setup.plant);
  setup.t = command.t;
  setup.u = command.u;
  setup.controller = command.functions;
}

// Torques from elsewhere, in place of those of the setup.
void take_table(const FreeRunOptions& options, Setup& setup) {
  if (options.torques.empty()) return;
  const TorqueColumns table = read_torques(options.torques, setup.plant);
  setup.t = table.t;
  setup.u = table.u;
  setup.begin = table.t[0];
  setup.end = table.t[table.t.size() - 1];
}

// How the torques go on between the times of their table.
Hold hold_between(const Job& job, const FreeRunOptions& options, const Setup& setup) {
  const bool given = !options.torques.empty();
  Hold hold = setup.hold;
  if (job.simulation.torques && !given)
    hold = Hold::linear;
  else if (!job.controller || (given && job.controller->measures()))
    hold = job.verification.torque;
  else if (given)
    hold = job.controller->hold;
  // a table has samples only
  return setup.t.size() > 1 && (hold != Hold::exact || !given) ? hold : Hold::smooth;
}

Vector sample_times(const Job& job, const FreeRunOptions& options, const Setup& setup) {
  const double rate = options.rate.value_or(job.simulation.rate);
  const double span = options.duration.value_or(job.simulation.duration && options.torques.empty()
                                                    ? *job.simulation.duration
                                                    : setup.end - setup.begin);
  const double count = std::floor(span * rate + 1e-9) + 1;
  require_room(fmt::format("{}: rate: {:.3g} samples per second over {:.6g} s",
                           job.simulation.where, rate, span),
               count, static_cast<double>(motion_columns(setup.plant).size()));
  if (setup.sample > 0)
    require_end(
        fmt::format("controller.sample: samples of {:.3g} s over {:.6g} s", setup.sample, span),
        span / setup.sample);
  const auto samples = static_cast<Eigen::Index>(count);
  return setup.begin +
         Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1)).array() / rate;
}

// The integrator takes joints to move by a radian or a metre and energies of a joule. For a stiff
// robot that sags by a micrometre this is too coarse: vibrations of its springs are lost in what is
// taken for rounding, and the energy does not balance. A second run is told how large the motion
// is. A motion that is wrong for any other reason does not balance in that run either.
Simulation simulate_with_balance(const Robot& plant, const SimulationOptions& usual,
                                 const std::function<Simulation(const SimulationOptions&)>& run) {
  Simulation first = run(usual);
  if (usual.frame || first.status != Status::solved) return first;
  const double error = energy_balance_error(plant, first);
  if (!(error > most_energy_error)) return first;
  SimulationOptions finer = usual;
  finer.least_size =
      std::min(usual.least_size, first.q.topRows(plant.tree_nq()).cwiseAbs().maxCoeff());
  finer.energy_tolerance *= 0.01 * most_energy_error / error;
  Simulation second = run(finer);
  return second.status == Status::not_converged ? first : second;
}

// Outputs, energy balance and constraints of what was simulated.
void measure(const Job& job, FreeRun& run) {
  const Simulation& s = run.simulation;
  const Vector imbalance = energy_imbalance(run.plant, s);
  run.energy_balance_error = imbalance.size() > 0 ? imbalance.maxCoeff() : 0;
  // Newmark's formula with a fixed step has no energy to the tolerance of an integrator
  const bool is_balanced = job.verification.simulation.frame.has_value();
  if (s.status == Status::solved && !is_balanced && run.energy_balance_error > most_energy_error) {
    run.simulation.status = Status::not_converged;
    Eigen::Index i = 0;
    while (imbalance[i] <= most_energy_error) ++i;
    run.simulation.message = fmt::format(
        "t = {:.6g} s: the energy does not balance from here on ({:.2g} of what moved), so the "
        "simulated motion is wrong; try smaller tolerances (at {})",
        s.t[i], run.energy_balance_error, pose_text(run.plant, s.q.col(i)));
  }
  MechanicsData data(run.plant);
  ConstrainedDynamics dynamics(run.plant);
  run.y = Matrix::Zero(run.outputs.count(), s.t.size());
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    kinematics<double>(run.plant, data, s.q.col(i));
    output_values(run.plant, data, s.q.col(i), s.lambda.col(i), run.outputs, run.y.col(i));
    run.max_constraint_violation = std::max(
        run.max_constraint_violation, dynamics.violation(s.q.col(i), s.v.col(i), s.t[i]).position);
  }
}

}  // namespace

void FreeRunOptions::check() const {
  SimulationRun run;
  run.duration = duration;
  run.rate = rate.value_or(run.rate);
  run.check();
}

FreeRun simulate_job(const Job& job, const FreeRunOptions& asked, const StageProgress& progress) {
  job.simulation.check();
  asked.check();
  FreeRunOptions options = asked;
  if (job.simulation.torques && options.torques.empty()) {
    options.torques = job.simulation.torques->table;
    if (!options.duration) options.duration = job.simulation.duration;
  }
  Setup setup = job.has_task() ? of_task(job, progress) : of_plant_alone(job);
  FreeRun run{{}, {}, 0, 0, setup.plant, {}};
  if (setup.status != Status::solved) {
    run.simulation.status = setup.status;
    run.simulation.message = setup.message;
    return run;
  }
  if (job.simulation.torques && options.torques.empty()) take_given(*job.simulation.torques, setup);
  take_table(options, setup);
  run.outputs = setup.outputs;
  run.has_table = setup.t.size() > 1;
  run.hold = hold_between(job, options, setup);
  ForwardProblem forward(setup.plant, TorqueSignal(setup.t, setup.u, run.hold), setup.controller,
                         setup.sample);
  const Vector times = sample_times(job, options, setup);
  run.simulation = simulate_with_balance(
      setup.plant, job.verification.simulation, [&](const SimulationOptions& how) {
        return simulate(forward, setup.q, setup.v, times, how, of_stage(progress, "simulating"));
      });
  measure(job, run);
  return run;
}

Table free_run_table(const Job& job, const FreeRun& run) {
  const Robot& plant = run.plant;
  Table table{motion_columns(plant), {}};
  for (const Output& output : run.outputs.rows) table.columns.push_back("y." + output.name);
  const Simulation& s = run.simulation;
  Matrix reactions(0, s.t.size());
  if (job.reactions)
    reactions = reaction_rows(plant, s.q, s.v, s.vdot, s.lambda, *job.reactions, table.columns);
  const Matrix at_joints = joint_side_rows(plant, s.q, s.v, s.vdot, s.u, table.columns);
  const Matrix frames = frame_rows(plant, job.columns, s.q, s.v, table.columns);
  table.values.resize(s.t.size(), static_cast<Eigen::Index>(table.columns.size()));
  table.values << s.t, s.q.transpose(), s.v.transpose(), s.u.transpose(), s.lambda.transpose(),
      run.y.transpose(), reactions.transpose(), at_joints.transpose(), frames.transpose();
  return table;
}

}  // namespace tauflex
