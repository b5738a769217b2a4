// A job: robot, task, method and proof, as one file says it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/start.hpp"
#include "tauflex/results/verification.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

struct Job {
  std::string name;  // of the file, without folder and ending
  RobotDescription robot;
  RobotDescription plant;  // what the proof runs on: the robot, with verification.plant applied
  Task task;
  std::optional<Method> method;  // none: chosen from the diagnosis
  VerificationOptions verification;
};

// `overrides` are the key=value pairs of --set. Throws InputError.
Job read_job(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
Job read_job(Node node, const std::string& name, const std::vector<std::string>& overrides = {});

// The posed question: payload attached, a linearised robot linearised at its start. Throws
// ProblemError when there is no start.
struct PosedProblem {
  InverseProblem problem;
  RestState start;
  Robot plant;
};
PosedProblem pose(const Job& job);

}  // namespace tauflex
