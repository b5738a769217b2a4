#include "tauflex/results/job.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {

Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_job(Node::read_file(path), path.stem().string(), overrides);
}

Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides) {
  if (!node.is_map()) node.fail("expected a job file: tauflex, robot, task, method, verification");
  // A robot in a file of its own becomes part of the job, so that --set reaches into it.
  if (const auto robot = node.find("robot"); robot && robot->is_text())
    node.set("robot", Node::read_file(robot->folder() / robot->text()));
  for (const std::string& assignment : overrides) node.set(assignment);
  node.allow({"tauflex", "robot", "task", "method", "verification"});
  const Node format = node.at("tauflex");
  if (format.integer() != 1)
    format.fail(fmt::format("this program reads job files of format 1, got {}", format.text()));

  Job job;
  job.name = name;
  const Node robot = node.at("robot");
  job.robot = job.plant = read_robot(robot);
  job.task = read_task(node.at("task"));
  if (const auto method = node.find("method")) job.method = read_method(*method);
  if (const auto verification = node.find("verification")) {
    job.verification = read_verification(*verification);
    if (const auto plant = verification->find("plant")) {
      Node changed = robot.copy();
      for (const std::string& key : plant->keys()) changed.set(key, plant->at(key));
      job.plant = read_robot(changed);
    }
  }
  return job;
}

PosedProblem pose(const Job& job) {
  const auto loaded = [&](const RobotDescription& robot) {
    return Robot(job.task.payload
                     ? with_payload(robot, job.task.payload->link, job.task.payload->inertia)
                     : robot);
  };
  InverseProblem problem(loaded(job.robot), job.task);
  Robot plant = loaded(job.plant);
  if (problem.robot().constraint_count() > 0) {  // without the rows that say the same as others
    const double t = problem.begin();
    const Vector closed = assemble(problem.robot(), t, problem.near());
    const auto rows = independent_constraint_rows(problem.robot(), t, closed);
    problem = InverseProblem(problem.robot().with_constraint_rows(rows), job.task);
    plant = plant.with_constraint_rows(rows);
    problem.require_determined();
  }
  RestState start = consistent_start(problem);
  if (job.robot.dynamics == DynamicsKind::linearized_at_start) {
    problem = InverseProblem(linearized_at(problem.robot(), start.q), job.task);
    plant = linearized_at(plant, start.q);
  }
  return {std::move(problem), std::move(start), std::move(plant)};
}

}  // namespace tauflex
