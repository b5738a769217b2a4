#include "tauflex/jobs/pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "tauflex/analysis/rank_losses.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/buckling.hpp"
#include "tauflex/mechanics/drive_train.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/problem/posture.hpp"
#include "tauflex/solvers/method_choice.hpp"
#include "tauflex/solvers/step_stability.hpp"
#include "tauflex/trajectory/blended.hpp"

namespace tauflex {

namespace {

constexpr double fastest_path = 1e5;  // m/s or rad/s

Robot loaded(const RobotDescription& robot, const std::optional<Payload>& payload) {
  if (!payload) return Robot(robot);
  return Robot(with_payload(robot, payload->link, payload->inertia, payload->where));
}

Robot loaded_plant(const Job& job) {
  return loaded(job.plant, job.plant_payload ? job.plant_payload : job.task.payload);
}

// A step that a user wrote is never changed silently.
void require_step(const Method& method, const std::string& where, const InverseProblem& problem) {
  const auto [step, otherwise] = std::visit(
      [](const auto& options) {
        return std::pair(options.step, std::decay_t<decltype(options)>().step);
      },
      method);
  const double span = problem.end() - problem.begin();
  if (step != otherwise && step > span * (1 + 1e-9))
    throw InputError(
        fmt::format("{}method.{}.step: a step of {:.6g} s is longer than the task, {:.6g} s", where,
                    name(method), step, span));
}

// A duration that nobody means, in other units or with a slip of the keyboard, is named before
// methods fail on it.
void require_speed(const InverseProblem& problem) {
  const OutputPath& path = problem.path();
  Matrix y(path.size(), 2);
  double largest = 0;
  int fastest = 0;
  for (int i = 0; i <= 64; ++i) {
    path.derivatives(path.duration() * i / 64, y);
    for (const int row : problem.outputs().motions)
      if (std::abs(y(row, 1)) > largest) {
        largest = std::abs(y(row, 1));
        fastest = row;
      }
  }
  if (largest <= fastest_path) return;
  const Output& output = problem.outputs().rows[fastest];
  throw InputError(fmt::format(
      "{}: the path takes {:.6g} s, and '{}' would have to move with up to {:.2g} {}/s, faster "
      "than anything that a robot moves; durations are in seconds",
      problem.task().where, path.duration(), output.name, largest, unit_of(output.quantity)));
}

// A robot that cannot stand on its path, in a sentence.
std::optional<std::string> buckles(const InverseProblem& problem,
                                   const std::vector<QuasiStaticPoint>& points) {
  MechanicsData data(problem.robot());
  for (const QuasiStaticPoint& point : points) {
    if (point.state.status != Status::solved) continue;
    if (const auto found = buckling(problem.robot(), data, point.state.q))
      return fmt::format(
          "link '{}' buckles where the robot rests on its path at t = {:.4g} s: its beam would "
          "stand under {:.2g} % of the weight that it carries there; make it stiffer or shorter",
          found->link, point.t, 100 * found->carried);
  }
  return std::nullopt;
}

}  // namespace

Posed::Posed(InverseProblem question, RestState at_rest, Robot proved_on,
             const std::optional<Method>& asked)
    : problem(std::move(question)),
      start(std::move(at_rest)),
      plant(std::move(proved_on)),
      points(quasi_static_points(problem, start)),
      diagnosis(diagnose(problem, points)),
      growth(causal_growth(problem, start, diagnosis)),
      unsolvable(stop_at_rest(problem, start)) {
  std::vector<Method> methods =
      asked ? std::vector{*asked} : choose_methods(problem, start, diagnosis, growth);
  method = methods.front();
  chosen = !asked;
  if (!unsolvable) unsolvable = buckles(problem, points);
  if (unsolvable) return;
  // The first without a known obstacle; if there is none, the reason is that of the best.
  for (size_t i = 0; i < methods.size(); ++i) {
    const std::optional<std::string> fault = fault_of(methods[i]);
    if (i == 0) unsolvable = fault;
    if (fault) continue;
    unsolvable = std::nullopt;
    method = methods[i];
    further.assign(methods.begin() + static_cast<std::ptrdiff_t>(i) + 1, methods.end());
    return;
  }
}

std::optional<std::string> Posed::fault_of(const Method& candidate) const {
  if (auto reason = unsolvable_because(problem, start, diagnosis, growth, candidate)) return reason;
  if (auto reason = inapplicable_because(problem, start, candidate)) return reason;
  return unstable_formula(problem, start, diagnosis, candidate);
}

void Posed::require_solvable() const {
  if (unsolvable) throw ProblemError(problem.task().where + ": " + *unsolvable);
}

namespace {

std::vector<int> independent_rows(const Robot& robot, const InverseProblem& problem) {
  const double t = problem.begin();
  return independent_constraint_rows(robot, t, assemble(robot, t, problem.near()));
}

}  // namespace

Robot plant_on(const Job& job, const InverseProblem& problem, const RestState& start) {
  Robot plant = loaded_plant(job);
  if (!job.robot.constraints.empty()) {
    const Robot robot = loaded(job.robot, job.task.payload);
    if (plant.constraint_count() == robot.constraint_count())
      plant = plant.with_constraint_rows(independent_rows(robot, problem));
  }
  if (job.robot.dynamics != DynamicsKind::linearized_at_start) return plant;
  if (plant.coordinates().names != problem.robot().coordinates().names)
    throw InputError(
        "verification.plant: a linearised robot is proved on a plant with the same coordinates");
  return linearized_at(plant, start.q);
}

namespace {

Posed pose_as_given(const Job& job) {
  if (!job.has_task())
    throw InputError(job.name + ": the job has no task to solve; use tauflex simulate");
  if (job.reactions && job.robot.dynamics == DynamicsKind::linearized_at_start)
    throw InputError("reactions: a linearised robot has no bodies; use nonlinear dynamics");
  const Robot robot = loaded(job.robot, job.task.payload);
  const Posture posture = hold_posture(robot, job.task);
  InverseProblem problem(robot, posture.task);
  if (robot.constraint_count() > 0)
    problem =
        InverseProblem(robot.with_constraint_rows(independent_rows(robot, problem)), posture.task);
  if (job.verification.controller) require_gains(*job.verification.controller, problem);
  if (job.method) require_step(*job.method, job.method_where, problem);
  require_speed(problem);
  problem.require_determined();
  RestState start = consistent_start(problem);
  if (job.robot.dynamics == DynamicsKind::linearized_at_start)
    problem = InverseProblem(linearized_at(problem.robot(), start.q), posture.task);
  Robot plant = plant_on(job, problem, start);
  Posed posed(std::move(problem), std::move(start), std::move(plant), job.method);
  posed.diagnosis.self_motion = posture.self_motion;
  if (!posture.sentence.empty()) posed.notes.push_back(posture.sentence);
  if (posed.start.out_of_range)
    posed.notes.push_back(fmt::format("the start leaves the joint ranges: {}",
                                      range_text(posed.problem.robot(), posed.start.q)));
  return posed;
}

}  // namespace

Job with_smooth_path(const Job& job) {
  if (!job.task.path_as_smooth_as) return job;
  Job smooth = job;
  // One derivative more than a continuous torque asks for: a torque with corners is not what a
  // controller sends, which interpolates between samples.
  const int required = pose_as_given(job).diagnosis.required_smoothness;
  smooth.task.path =
      job.task.path_as_smooth_as(std::min(required + 1, BlendedPath::largest_smoothness));
  smooth.task.path_as_smooth_as = nullptr;
  return smooth;
}

Posed pose(const Job& job) { return pose_as_given(with_smooth_path(job)); }

PosedPlant pose_plant(const Job& job) {
  if (job.plant.dynamics == DynamicsKind::linearized_at_start)
    throw InputError(job.name +
                     ": dynamics linearized_at start needs a task that starts somewhere");
  const double t = -job.task.hold_before;
  const Robot robot = loaded_plant(job);
  const auto require = [&](int found, const char* what, const std::string& name,
                           const std::vector<std::string>& names) {
    if (found < 0)
      throw InputError(fmt::format("{}: start.{}: '{}' is not one of the robot's{}",
                                   job.simulation.where, what, name, did_you_mean(name, names)));
    return found;
  };
  Vector q = robot.coordinates().neutral, v = Vector::Zero(robot.nv());
  for (const auto& [name, value] : job.simulation.q)
    q[require(robot.coordinates().find(name), "q", name, robot.coordinates().names)] = value;
  for (const auto& [name, value] : job.simulation.v)
    v[require(robot.coordinates().find_velocity(name), "v", name,
              robot.coordinates().velocity_names)] = value;
  // rotors move with their joints, unless they were named
  DriveTrain(robot).set_unstretched(q, v);
  for (const auto& [name, value] : job.simulation.q) q[robot.coordinates().find(name)] = value;
  for (const auto& [name, value] : job.simulation.v)
    v[robot.coordinates().find_velocity(name)] = value;
  normalize(robot, q);
  if (robot.constraint_count() == 0) return {robot, q, v};
  q = assemble(robot, t, q);
  return {robot.with_constraint_rows(independent_constraint_rows(robot, t, q)), q, v};
}

}  // namespace tauflex
