#include "tauflex/results/free_run.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/results/files.hpp"

namespace tauflex {

FreeRun simulate_job(const Job& job, const FreeRunOptions& options, const StageProgress& progress) {
  const auto [problem, start, plant] = pose(job);
  Vector t = (Vector(2) << problem.begin(), problem.end()).finished();
  Matrix u = start.u.replicate(1, 2);
  if (!options.torques.empty()) {
    const Solution table = read_trajectory(options.torques, problem).solution;
    t = table.t;
    u = table.u;
  }
  const double begin = t[0];
  const double span = options.duration.value_or(t[t.size() - 1] - begin);
  const auto samples = static_cast<Eigen::Index>(std::floor(span * options.rate + 1e-9)) + 1;
  const Vector times =
      begin +
      Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1)).array() / options.rate;
  ForwardProblem forward(plant, TorqueSignal(t, u, job.verification.torque));
  FreeRun run;
  run.simulation =
      simulate(forward, start.q, Vector::Zero(plant.nv()), times, job.verification.simulation,
               progress ? [&](double x) { return progress("simulating", x); } : Progress{});
  run.energy_balance_error = energy_balance_error(plant, run.simulation);
  run.coordinates = plant.coordinate_names();
  run.drives = plant.drive_names();
  MechanicsData<double> data(plant);
  run.y = Matrix::Zero(problem.output_count(), run.simulation.t.size());
  for (Eigen::Index i = 0; i < run.simulation.t.size(); ++i) {
    kinematics<double>(plant, data, run.simulation.q.col(i));
    output_values<double>(plant, data, run.simulation.q.col(i), run.simulation.lambda.col(i),
                          problem.outputs(), run.y.col(i));
  }
  return run;
}

Table free_run_table(const Job& job, const FreeRun& run) {
  Table table;
  table.columns = {"t"};
  for (const auto& name : run.coordinates) table.columns.push_back("q." + name);
  for (const auto& name : run.coordinates) table.columns.push_back("v." + name);
  for (const auto& name : run.drives) table.columns.push_back("u." + name);
  for (const auto& name : job.task.outputs) table.columns.push_back("y." + name);
  const Simulation& s = run.simulation;
  table.values.resize(s.t.size(), static_cast<Eigen::Index>(table.columns.size()));
  table.values << s.t, s.q.transpose(), s.v.transpose(), s.u.transpose(), run.y.transpose();
  return table;
}

std::string free_run_json(const Job& job, const FreeRun& run) {
  nlohmann::ordered_json json;
  json["format"] = 1;
  json["version"] = version();
  json["job"] = job.name;
  json["simulation"] = {{"status", name(run.simulation.status)},
                        {"message", run.simulation.message},
                        {"integrator", run.simulation.integrator},
                        {"torque", name(job.verification.torque)},
                        {"steps", run.simulation.steps},
                        {"energy_balance_error", run.energy_balance_error}};
  return json.dump(2) + "\n";
}

}  // namespace tauflex
