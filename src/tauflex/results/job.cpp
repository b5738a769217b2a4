#include "tauflex/results/job.hpp"

#include <fmt/format.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/problem/posture.hpp"
#include "tauflex/results/least_torque_posture.hpp"
#include "tauflex/results/rest_shape.hpp"

namespace tauflex {

namespace {

SimulationRun read_simulation(const Node& node) {
  node.allow({"duration", "rate", "start"});
  SimulationRun run;
  run.where = node.where() + ": simulation";
  if (const auto duration = node.find("duration")) run.duration = duration->positive();
  if (const auto rate = node.find("rate")) run.rate = rate->positive();
  if (const auto start = node.find("start")) {
    run.has_start = true;
    start->allow({"q", "v"});
    for (const auto& [key, values] : {std::pair("q", &run.q), std::pair("v", &run.v)})
      if (const auto given = start->find(key))
        for (const std::string& name : given->keys()) (*values)[name] = given->at(name).number();
  }
  return run;
}

ReactionFrame read_reactions(const Node& node) {
  node.allow({"frame"});
  const Node frame = node.at("frame");
  if (frame.text() == "world") return ReactionFrame::world;
  if (frame.text() == "joint") return ReactionFrame::joint;
  if (frame.text() == "link") return ReactionFrame::link;
  frame.fail("expected world, joint or link, got '" + frame.text() + "'");
}

}  // namespace

Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_job(Node::read_file(path), path.stem().string(), overrides);
}

namespace {

void complete(Node& node, const std::vector<std::string>& overrides) {
  if (!node.is_map())
    node.fail(
        "expected a job file: tauflex, robot, task, simulation, controller, method, "
        "verification");
  // A robot or overlay in a file of its own becomes part of the job, so that --set reaches into it.
  if (const auto robot = node.find("robot"); robot && robot->is_text())
    node.set("robot", Node::read_file(robot->folder() / robot->text()));
  if (const auto robot = node.find("robot"))
    if (const auto elastic = robot->find("elastic"); elastic && elastic->is_text())
      node.set("robot.elastic", Node::read_file(elastic->folder() / elastic->text()));
  for (const std::string& assignment : overrides) node.set(assignment);
}

}  // namespace

Node read_job_node(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  Node node = Node::read_file(path);
  complete(node, overrides);
  return node;
}

Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides) {
  complete(node, overrides);
  node.allow({"tauflex", "robot", "task", "simulation", "controller", "reactions", "method",
              "verification"});
  const Node format = node.at("tauflex");
  if (format.integer() != 1)
    format.fail(fmt::format("this program reads job files of format 1, got {}", format.text()));

  Job job;
  job.name = name;
  const Node robot = node.at("robot");
  job.robot = job.plant = read_robot(robot);
  if (node.has("task") || !node.has("simulation")) {
    job.task = read_task(node.at("task"));
    if (const auto shape = node.at("task").find("shape")) {
      if (shape->text() != "rest") shape->fail("expected rest, got '" + shape->text() + "'");
      job.ends_at_rest = true;
    }
  }
  if (const auto simulation = node.find("simulation"))
    job.simulation = read_simulation(*simulation);
  if (const auto reactions = node.find("reactions")) job.reactions = read_reactions(*reactions);
  if (const auto method = node.find("method")) job.method = read_method(*method);
  if (const auto verification = node.find("verification")) {
    job.verification = read_verification(*verification);
    if (const auto plant = verification->find("plant")) {
      Node changed = robot.copy();
      for (const std::string& key : plant->keys()) changed.set(key, plant->at(key));
      job.plant = read_robot(changed);
    }
  }
  if (const auto controller = node.find("controller")) {
    if (job.verification.controller)
      controller->fail("stands beside verification.feedback; give the gains here");
    job.controller = job.verification.controller = read_controller(*controller);
    if (job.controller->measures() && job.verification.mode == VerificationMode::automatic)
      job.verification.mode = VerificationMode::feedback;
    if (!job.controller->measures() && job.verification.mode == VerificationMode::feedback)
      controller->fail("verification.mode feedback needs pd or computed_torque");
  }
  if (!job.has_task() && !job.simulation.duration)
    node.at("simulation").fail("'duration' is missing; only a task could give it");
  return job;
}

namespace {

Robot loaded(const RobotDescription& robot, const Task& task) {
  return Robot(task.payload ? with_payload(robot, task.payload->link, task.payload->inertia)
                            : robot);
}

}  // namespace

PosedProblem pose(const Job& job) {
  if (!job.has_task())
    throw InputError(job.name + ": the job has no task to solve; use tauflex simulate");
  if (job.reactions && job.robot.dynamics == DynamicsKind::linearized_at_start)
    throw InputError("reactions: a linearised robot has no bodies; use nonlinear dynamics");
  const Robot robot = loaded(job.robot, job.task);
  Posture posture = hold_posture(robot, job.task);
  if (job.task.least_torque) posture = least_torque_posture(robot, job.task, posture);
  InverseProblem problem(robot, posture.task);
  Robot plant = loaded(job.plant, job.task);
  if (problem.robot().constraint_count() > 0) {  // without the rows that say the same as others
    const double t = problem.begin();
    const Vector closed = assemble(problem.robot(), t, problem.near());
    const auto rows = independent_constraint_rows(problem.robot(), t, closed);
    problem = InverseProblem(problem.robot().with_constraint_rows(rows), posture.task);
    plant = plant.with_constraint_rows(rows);
  }
  problem.require_determined();
  RestState start = consistent_start(problem);
  if (job.robot.dynamics == DynamicsKind::linearized_at_start) {
    problem = InverseProblem(linearized_at(problem.robot(), start.q), posture.task);
    plant = linearized_at(plant, start.q);
  }
  if (job.ends_at_rest) {
    const RestShape shape = shape_to_rest(problem, start, job.method);
    Task task = problem.task();
    task.path = shape.path;
    problem = InverseProblem(problem.robot(), task);
    if (!posture.sentence.empty() && !shape.sentence.empty()) posture.sentence += "; ";
    posture.sentence += shape.sentence;
  }
  return {std::move(problem), std::move(start), std::move(plant), posture.sentence,
          posture.self_motion};
}

PosedPlant pose_plant(const Job& job) {
  if (job.plant.dynamics == DynamicsKind::linearized_at_start)
    throw InputError(job.name +
                     ": dynamics linearized_at start needs a task that starts somewhere");
  const double t = -job.task.hold_before;
  const Robot robot = loaded(job.plant, job.task);
  const auto require = [&](int found, const char* what, const std::string& name,
                           const std::vector<std::string>& names) {
    if (found < 0)
      throw InputError(fmt::format("{}: start.{}: '{}' is not one of the robot's{}",
                                   job.simulation.where, what, name, did_you_mean(name, names)));
    return found;
  };
  Vector q = robot.neutral(), v = Vector::Zero(robot.nv());
  for (const auto& [name, value] : job.simulation.q)
    q[require(robot.find_coordinate(name), "q", name, robot.coordinate_names())] = value;
  for (const auto& [name, value] : job.simulation.v)
    v[require(robot.find_velocity(name), "v", name, robot.velocity_names())] = value;
  if (robot.rotors() > 0) {  // rotors move with their joints
    Vector at(robot.rotors()), rate(robot.rotors());
    for (int k = 0; k < robot.rotors(); ++k) {
      at[k] = q[robot.elastic_drive(k).joint_q];
      rate[k] = v[robot.elastic_drive(k).joint_v];
    }
    at = robot.rotor_angles(at);
    rate = robot.rotor_angles(rate);
    for (int k = 0; k < robot.rotors(); ++k) {
      const DriveLayout& drive = robot.elastic_drive(k);
      const std::string& name = robot.coordinate_names()[static_cast<size_t>(drive.rotor_q)];
      if (!job.simulation.q.contains(name)) q[drive.rotor_q] = at[k];
      if (!job.simulation.v.contains(name)) v[drive.rotor_v] = rate[k];
    }
  }
  for (const Quaternion& at : robot.quaternions()) q.segment<4>(at.q).normalize();
  if (robot.constraint_count() == 0) return {robot, q, v};
  q = assemble(robot, t, q);
  return {robot.with_constraint_rows(independent_constraint_rows(robot, t, q)), q, v};
}

}  // namespace tauflex
