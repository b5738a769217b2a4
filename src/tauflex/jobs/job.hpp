// A job: robot, task, method and proof, as one file says it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/jobs/beam_modes.hpp"
#include "tauflex/jobs/given_torques.hpp"
#include "tauflex/jobs/verification_options.hpp"
#include "tauflex/mechanics/reactions.hpp"
#include "tauflex/problem/task.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// A forward run of the plant, key `simulation`.
struct SimulationRun {
  // s; none: that of the task
  std::optional<double> duration;
  // Samples per second in the result.
  double rate = 1000;
  // Where it starts, by name; put on the constraints.
  std::map<std::string, double> q, v;
  // Whether q or v are given; else the run starts as the task does, at rest.
  bool has_start = false;
  // None: the torques that hold the task's start; zero from a given start.
  std::optional<GivenTorques> torques;
  std::string where = "simulation";

  std::vector<Field> fields();
  // Throws InputError naming the field, the rule and the value.
  void check() const;
};

struct Job {
  Job();
  // Defaulted in the .cpp file, so that they are compiled once.
  Job(const Job&);
  Job(Job&&) noexcept;
  Job& operator=(const Job&);
  Job& operator=(Job&&) noexcept;
  ~Job();
  // Of the file, without folder and ending.
  std::string name;
  RobotDescription robot;
  // What the proof runs on: the robot, with verification.plant applied.
  RobotDescription plant;
  // What differs: "links.hand.mass 200 -> 220".
  std::vector<std::string> plant_differences;
  // What the plant carries instead of the task's payload.
  std::optional<Payload> plant_payload;
  // Beams of the robot that keep some of their component modes; known with a path only.
  std::vector<KeptModes> kept_modes;
  // Without a path when the job only simulates.
  Task task;
  // task.shape: rest; the path is bent in time
  bool ends_at_rest = false;
  SimulationRun simulation;
  std::optional<ControllerOptions> controller;
  // Written to the tables in these axes.
  std::optional<ReactionFrame> reactions;
  // Frames whose positions and velocities are written to the tables too.
  std::vector<std::string> columns;
  // none: chosen from the diagnosis
  std::optional<Method> method;
  // Where it stands, "arm.yaml:30: ".
  std::string method_where;
  VerificationOptions verification;
  // Torques of the rigid robot are simulated beside the proof.
  bool rigid = true;
  // The file as it was understood, robot and overrides in it, without comments; and the overrides.
  std::string text;
  std::vector<std::string> overrides;

  bool has_task() const { return task.path != nullptr; }
};

// Of a file, without folder and ending.
std::string job_name(const std::filesystem::path& path);

// `overrides` are the key=value pairs of --set. Throws InputError.
Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides = {});

// The same, in two steps: the file with its robot files in it and the overrides applied, then the
// job. Of a URDF file: the robot {urdf: arm.urdf}.
Node read_job_node(const std::filesystem::path& path,
                   const std::vector<std::string>& overrides = {});
Node read_job_node(Node node, const std::vector<std::string>& overrides = {});

// Gives the job the plant that has these changes, as verification.plant says them, of the robot.
// Throws InputError.
void read_plant(const Node& robot, const Node& changes, Job& job);

}  // namespace tauflex
