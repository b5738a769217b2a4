// The pipeline as a C++ user writes it; fails when the proof misses.
#include <cstdio>

#include "tauflex/results/run.hpp"

int main(int, char** arguments) {
  using namespace tauflex;
  const Job job = read_job(arguments[1]);
  const auto [problem, start, plant, posture, self_motion] = pose(job);
  const Diagnosis diagnosis = diagnose(problem, quasi_static_points(problem, start));
  const Solution solution = solve(problem, start, choose_method(problem, start, diagnosis));
  const Verification proof = verify(plant, problem, solution, job.verification);
  std::printf("tool error %.3g mm\n", 1e3 * *proof.max_tool_error_m);
  return proof.status == Status::solved ? 0 : 1;
}
