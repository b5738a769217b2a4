#include "tauflex/results/finer_mesh.hpp"

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/finer_twin.hpp"
#include "tauflex/model/robot_kind.hpp"

namespace tauflex {

namespace {

// The same question, whose start on the finer plant is looked for near that on the model's mesh.
InverseProblem starting_near(const InverseProblem& problem, const VectorRef& q) {
  const Robot& robot = problem.robot();
  Task task = problem.task();
  const std::vector<bool> held = held_by_springs(robot);
  for (int k = 0; k < robot.tree_nv(); ++k)
    if (const int i = robot.coordinates().of_velocity[k]; i >= 0 && !held[k])
      task.near[robot.coordinates().names[i]] = q[i];
  return InverseProblem(robot, task);
}

}  // namespace

std::optional<FinerMesh> finer_mesh(const Robot& plant, const InverseProblem& problem,
                                    const Solution& solution, VerificationOptions options,
                                    const Progress& progress) try {
  const std::optional<Robot> finer = finer_twin(plant);
  if (!finer) return std::nullopt;
  if (plant.is_linearized()) return FinerMesh{"the dynamics are linearised", {}};
  if (options.mode == VerificationMode::segments)
    return FinerMesh{"segments start from the motion on the model's own mesh", {}};
  // what a mesh changes is far above what a tight integrator adds
  constexpr double enough = 1e-9;
  options.simulation.relative_tolerance = std::max(options.simulation.relative_tolerance, enough);
  options.simulation.absolute_tolerance =
      std::max(options.simulation.absolute_tolerance, 1e-2 * enough);
  Verification run =
      verify(*finer, starting_near(problem, solution.q.col(0)), solution, options, progress);
  if (run.status != Status::solved && run.status != Status::missed)
    return FinerMesh{"on the finer mesh: " + run.message, {}};
  return FinerMesh{"", std::move(run)};
} catch (const Error& error) {
  return FinerMesh{std::string("on the finer mesh: ") + error.what(), {}};
}

}  // namespace tauflex
