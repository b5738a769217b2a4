// A job: robot, task, method and proof, as one file says it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/jobs/verification_options.hpp"
#include "tauflex/mechanics/reactions.hpp"
#include "tauflex/problem/task.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// A forward run of the plant, key `simulation`.
struct SimulationRun {
  std::optional<double> duration;      // s; none: that of the task
  double rate = 1000;                  // samples per second in the result
  std::map<std::string, double> q, v;  // where it starts, by name; put on the constraints
  bool has_start = false;              // else the task's start at rest
  std::string where = "simulation";

  std::vector<Field> fields();
  void check() const;  // throws InputError naming the field, the rule and the value
};

struct Job {
  Job();
  // The compiler makes these once, in the .cpp file.
  Job(const Job&);
  Job(Job&&) noexcept;
  Job& operator=(const Job&);
  Job& operator=(Job&&) noexcept;
  ~Job();
  std::string name;  // of the file, without folder and ending
  RobotDescription robot;
  RobotDescription plant;     // what the proof runs on: the robot, with verification.plant applied
  Task task;                  // without a path when the job only simulates
  bool ends_at_rest = false;  // task.shape: rest; the path is bent in time
  SimulationRun simulation;
  std::optional<ControllerOptions> controller;
  std::optional<ReactionFrame> reactions;  // written to the tables in these axes
  std::optional<Method> method;            // none: chosen from the diagnosis
  VerificationOptions verification;

  bool has_task() const { return task.path != nullptr; }
};

// `overrides` are the key=value pairs of --set. Throws InputError.
Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides = {});

// The same, in two steps: the file with its robot files in it and the overrides applied, then the
// job.
Node read_job_node(const std::filesystem::path& path,
                   const std::vector<std::string>& overrides = {});

}  // namespace tauflex
