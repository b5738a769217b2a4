#include "tauflex/jobs/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tauflex/base/named_file.hpp"
#include "tauflex/base/read_fields.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/base/yaml_text.hpp"
#include "tauflex/jobs/column_names.hpp"
#include "tauflex/jobs/joint_moves.hpp"
#include "tauflex/jobs/moved_job.hpp"
#include "tauflex/jobs/plant_changes.hpp"
#include "tauflex/jobs/start_point.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {

Job::Job() = default;
Job::Job(const Job&) = default;
Job::Job(Job&&) noexcept = default;
Job& Job::operator=(const Job&) = default;
Job& Job::operator=(Job&&) noexcept = default;
Job::~Job() = default;

std::vector<Field> SimulationRun::fields() {
  using namespace describe;
  return {number("duration", duration, above(0), "s", "").if_left_out("that of the task"),
          number("rate", rate, above(0), "1/s", "samples in the result"),
          group("start",
                {by_name("q", q, "rad|m", "coordinates by name; the others are 0"),
                 by_name("v", v, "rad/s|m/s", "velocities by name; the others are 0")},
                "put on the constraints; left out: the task's start at rest", &has_start),
          read_elsewhere("torques",
                         "of drives by name, N m or N at the motor: a number, points [time, "
                         "torque], a path such as {sine: ..}; or a table; the others get none")};
}

void SimulationRun::check() const { check_fields("simulation", SimulationRun(*this).fields()); }

namespace {

SimulationRun read_simulation(const Node& node) {
  SimulationRun run;
  run.where = node.where() + ": simulation";
  read_fields(node, run.fields());
  if (const auto torques = node.find("torques")) run.torques = read_given_torques(*torques);
  return run;
}

// What the plant carries: the task's payload with another mass, or another one.
Payload plant_payload(const Node& change, const std::optional<Payload>& carried) {
  if (change.is_map()) return read_payload(change);
  if (!carried)
    change.fail("the task has no payload that could differ; give payload: {link: .., mass: ..}");
  Payload payload = *carried;
  payload.inertia.mass = changed_number(payload.inertia.mass, change);
  if (payload.inertia.mass < 0)
    change.fail(fmt::format("leaves a mass of {:.6g} kg", payload.inertia.mass));
  if (carried->inertia.mass > 0)
    payload.inertia.about_com *= payload.inertia.mass / carried->inertia.mass;
  return payload;
}

// No payload is one without mass.
bool is_same_payload(const Payload& a, const std::optional<Payload>& b) {
  const LinkInertia other = b ? b->inertia : LinkInertia();
  return a.inertia.mass == other.mass && a.inertia.about_com == other.about_com &&
         (a.inertia.mass == 0 || (a.link == b->link && a.inertia.com == other.com));
}

ReactionFrame read_reactions(const Node& node) {
  node.allow({"frame"});
  const Node frame = node.at("frame");
  if (frame.text() == "world") return ReactionFrame::world;
  if (frame.text() == "joint") return ReactionFrame::joint;
  if (frame.text() == "link") return ReactionFrame::link;
  frame.fail("expected world, joint or link, got '" + frame.text() + "'");
}

// model: frame, and its options; model: tree is what is there without.
void read_plant_model(const Node& plant, Job& job) {
  const auto model = plant.find("model");
  if (!model || model->text() == "tree") return;
  if (model->text() != "frame") model->fail("expected tree or frame, got '" + model->text() + "'");
  FramePlantOptions options;
  std::vector<Field> fields = options.fields();
  const std::vector<std::string> keys = plant.keys();
  for (const std::string& key : keys)
    if (key == "model" || !is_of_plant_model(key, plant))
      fields.push_back(describe::read_elsewhere(key.c_str(), ""));
  read_fields(plant, fields);
  try {
    options.check();
  } catch (const FieldError& error) {
    fail_at(plant, error);
  }
  job.verification.simulation.frame = options;
  job.plant_differences.push_back("model tree -> frame of elements");
}

}  // namespace

void read_plant(const Node& robot, const Node& changes, Job& job) {
  ChangedRobot plant = changed_robot(robot, changes);
  job.plant = read_robot(plant.robot);
  if (job.has_task()) choose_modes(job.plant, *job.task.path);
  job.plant_differences = std::move(plant.differences);
  if (const auto payload = changes.find("payload")) {
    const Payload carried = plant_payload(*payload, job.task.payload);
    if (!is_same_payload(carried, job.task.payload)) job.plant_payload = carried;
  }
  if (job.plant_payload) {
    job.plant_differences.push_back(fmt::format(
        "payload {:.6g} kg -> {:.6g} kg", job.task.payload ? job.task.payload->inertia.mass : 0.0,
        job.plant_payload->inertia.mass));
  }
  read_plant_model(changes, job);
}

std::string job_name(const std::filesystem::path& path) {
  return path == "-" ? "stdin" : path.stem().string();
}

namespace {

Node read_job_file(const std::filesystem::path& path) {
  if (is_xml_file(path))
    throw InputError(fmt::format(
        "{0}:1: this is an XML file, not a job; a job has robot: {{urdf: {1}}} and a task, and "
        "tauflex pose {1} shows the robot",
        path.string(), path.filename().string()));
  return Node::read_file(path);
}

// {urdf: arm.urdf}
Node urdf_robot(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  for (size_t at = 0; (at = name.find('\'', at)) != name.npos; at += 2) name.insert(at, "'");
  return Node::read_text("{urdf: '" + name + "'}", file.string());
}

}  // namespace

Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_job(read_job_file(path), job_name(path), overrides);
}

namespace {

void complete(Node& node, const std::vector<std::string>& overrides) {
  if (!node.is_map())
    node.fail(
        "expected a job file: tauflex, robot, task, simulation, controller, method, verification");
  if (const auto study = node.find("study"))
    study->fail("this is a study of many jobs, not a job; use tauflex sweep or tauflex design");
  // A robot or overlay in a file of its own becomes part of the job, so that --set reaches into it.
  if (const auto robot = node.find("robot"); robot && robot->is_text()) {
    const auto file = named_file(*robot);
    node.set("robot", is_xml_file(file) ? urdf_robot(file) : Node::read_file(file));
  }
  if (const auto robot = node.find("robot"))
    if (const auto elastic = robot->find("elastic"); elastic && elastic->is_text())
      node.set("robot.elastic", Node::read_file(named_file(*elastic)));
  std::map<std::string, std::string> set;
  for (const std::string& assignment : overrides) {
    const std::string key = assignment.substr(0, assignment.find('='));
    if (const auto [before, is_new] = set.emplace(key, assignment); !is_new)
      throw UsageError(
          fmt::format("--set {}: {} is set twice, before to {}", assignment, key,
                      before->second.substr(std::min(key.size() + 1, before->second.size()))));
    node.set(assignment);
  }
}

}  // namespace

Node read_job_node(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  const bool is_urdf = path.extension() == ".urdf" || is_xml_file(path);
  return read_job_node(is_urdf ? urdf_robot(path) : Node::read_file(path), overrides);
}

Node read_job_node(Node node, const std::vector<std::string>& overrides) {
  complete(node, overrides);
  return node;
}

Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides) {
  complete(node, overrides);
  node.allow({"tauflex", "robot", "task", "simulation", "controller", "reactions", "columns",
              "method", "verification", "rigid"});
  const Node format = node.at("tauflex");
  if (format.integer() != 1)
    format.fail(fmt::format("this program reads job files of format 1, got {}", format.text()));

  Job job;
  job.name = name;
  job.text = moved_job(node, node.folder());
  job.overrides = overrides;
  if (const auto rigid = node.find("rigid")) job.rigid = rigid->boolean();
  const Node robot = node.at("robot");
  job.robot = job.plant = read_robot(robot);
  fill_in_named_points(node);
  fill_in_start_point(node, job.robot);
  const std::vector<std::string> notes = fill_in_joint_moves(node, job.robot);
  if (node.has("task") || !node.has("simulation")) {
    job.task = read_task(node.at("task"));
    job.task.notes.insert(job.task.notes.end(), notes.begin(), notes.end());
    if (const auto shape = node.at("task").find("shape")) {
      if (shape->text() != "rest") shape->fail("expected rest, got '" + shape->text() + "'");
      job.ends_at_rest = true;
    }
  }
  if (job.has_task()) {
    job.kept_modes = choose_modes(job.robot, *job.task.path);
    job.plant = job.robot;
  }
  if (const auto simulation = node.find("simulation"))
    job.simulation = read_simulation(*simulation);
  if (const auto reactions = node.find("reactions")) job.reactions = read_reactions(*reactions);
  if (const auto columns = node.find("columns"))
    job.columns = read_column_names(*columns, job.robot);
  if (const auto method = node.find("method")) {
    job.method = read_method(*method);
    job.method_where = method->where() + ": ";
  }
  if (const auto verification = node.find("verification")) {
    job.verification = read_verification(*verification);
    if (const auto plant = verification->find("plant")) read_plant(robot, *plant, job);
  }
  if (const auto controller = node.find("controller")) {
    if (job.simulation.torques)
      controller->fail("cannot be given together with simulation.torques");
    if (job.verification.controller)
      controller->fail("cannot be given together with verification.feedback; give the gains here");
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

}  // namespace tauflex
