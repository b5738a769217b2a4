// How cost grows with the robot: elastic drives followed by passive spring joints, and elastic
// drives alone. Time and memory of one step of the blockwise BDF method.
#include <benchmark/benchmark.h>

#include "benchmarks/growing_robots.hpp"
#include "tauflex/equations/consistent_start.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/solvers/solve.hpp"

namespace {

using namespace tauflex;

void measure(benchmark::State& state, const InverseProblem& problem) {
  const RestState start = consistent_start(problem);
  const BdfOptions options{.order = 4, .step = 1e-3};
  Solution solution;
  for (auto _ : state) {
    solution = solve(problem, start, options);
    if (solution.status != Status::solved) state.SkipWithError(solution.message.c_str());
    benchmark::DoNotOptimize(solution.u.data());
  }
  const double numbers = static_cast<double>(solution.q.rows() + solution.v.rows() * 2 +
                                             solution.u.rows() + solution.y.rows() + 1);
  state.counters["dof"] = problem.robot().nv();
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(solution.steps),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_step"] = 8 * numbers;
  state.counters["newton_per_step"] =
      static_cast<double>(solution.newton_iterations) / solution.steps;
}

void PassiveChain(benchmark::State& state) {
  measure(state, chain(static_cast<int>(state.range(0))));
}
void ElasticDrives(benchmark::State& state) {
  measure(state, drives(static_cast<int>(state.range(0))));
}

// A beam of n elements on a driven joint whose angle is the output.
void BeamElements(benchmark::State& state) {
  RobotDescription robot;
  Link link;
  link.name = "arm";
  link.joint.axis = {0, 0, 1};
  link.drive = Drive{.rotor_inertia = 0.1};
  link.beam = Beam{};
  link.beam->to = {1, 0, 0};
  link.beam->mass_per_length = 0.5;
  link.beam->EI_y = 10;
  link.beam->stiffness_damping = 1e-3;
  link.beam->elements = static_cast<int>(state.range(0));
  robot.links.push_back(link);
  Task task;
  task.outputs = {"arm"};
  task.path = std::make_shared<LinePath>(Vector::Zero(1), Vector::Constant(1, 0.5), 0.5, 11);
  measure(state, InverseProblem(Robot(robot), task));
  state.SetComplexityN(state.range(0));
}

// Stable inversion of the same chains on one mesh and its half: n passive joints are 2 n states.
void StableInversion(benchmark::State& state) {
  const InverseProblem problem = chain(static_cast<int>(state.range(0)));
  const RestState start = consistent_start(problem);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        solve(problem, start, StableInversionOptions{.tolerance = 1e-2, .points = 160}).u.data());
  state.SetComplexityN(2 * state.range(0));
}

// 8 states and 1,000 points on the finer mesh.
void StableInversionPoints(benchmark::State& state) {
  const InverseProblem problem = chain(4);
  const RestState start = consistent_start(problem);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        solve(problem, start, StableInversionOptions{.tolerance = 1e-2, .points = 500}).u.data());
}

BENCHMARK(StableInversionPoints)->Unit(benchmark::kMillisecond);
BENCHMARK(StableInversion)
    ->RangeMultiplier(2)
    ->Range(1, 16)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oNCubed);
BENCHMARK(PassiveChain)->Arg(4)->Arg(10)->Arg(25)->Arg(50)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(BeamElements)
    ->RangeMultiplier(2)
    ->Range(2, 32)
    ->Unit(benchmark::kMillisecond)
    ->Complexity();
BENCHMARK(ElasticDrives)->Arg(6)->Arg(12)->Arg(25)->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
