// The whole motion of E12, 300 steps of 1 ms, by the generic solver. The paper took 152 s for
// order 6.
#include <benchmark/benchmark.h>

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/solvers/stable_inversion.hpp"

namespace tauflex {
namespace {

void e12(benchmark::State& state, BdfForm form) {
  static const Posed posed = pose(read_job(TAUFLEX_SOURCE_DIR "/examples/e12_bdf.yaml"));
  const BdfOptions options{.order = static_cast<int>(state.range(0)), .step = 1e-3, .form = form};
  long steps = 0;
  for (auto _ : state) {
    const Solution solution = solve(posed.problem, posed.start, options);
    benchmark::DoNotOptimize(solution.u.data());
    steps += solution.steps;
  }
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(steps), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(e12, blockwise, BdfForm::blockwise)
    ->Arg(3)
    ->Arg(6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(e12, monolithic, BdfForm::monolithic)
    ->Arg(3)
    ->Arg(6)
    ->Unit(benchmark::kMillisecond);

// By jets: 1 ms samples, torques to 1e-8 of their peak, error measured.
void e12_by_jets(benchmark::State& state) {
  static const Posed posed = pose(read_job(TAUFLEX_SOURCE_DIR "/examples/e12_bdf.yaml"));
  for (auto _ : state)
    benchmark::DoNotOptimize(solve(posed.problem, posed.start, JetOptions{}).u.data());
}
BENCHMARK(e12_by_jets)->Unit(benchmark::kMillisecond);

// 18 degrees of freedom, 1 s of motion, torques to 1e-7 of their peak, error measured.
void six_axis_elastic_by_jets(benchmark::State& state) {
  static const Posed posed = pose(read_job(TAUFLEX_SOURCE_DIR "/examples/six_axis_elastic.yaml"));
  for (auto _ : state)
    benchmark::DoNotOptimize(
        solve(posed.problem, posed.start, JetOptions{.tolerance = 1e-7}).u.data());
}
BENCHMARK(six_axis_elastic_by_jets)->Unit(benchmark::kMillisecond);

// Stable inversion of E12 with a light hand; the argument is the number of points of the mesh it
// starts with, four in each step. Cost grows linearly.
void stable_inversion(benchmark::State& state) {
  static const Posed posed = pose(read_job(TAUFLEX_SOURCE_DIR "/examples/e12_nonminimum.yaml"));
  StableInversionOptions options{.tolerance = 1e-4};
  options.points = static_cast<int>(state.range(0)) / 2;  // the check halves every step
  for (auto _ : state)
    benchmark::DoNotOptimize(solve(posed.problem, posed.start, options).u.data());
}
BENCHMARK(stable_inversion)
    ->RangeMultiplier(2)
    ->Range(500, 8000)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
}  // namespace tauflex

BENCHMARK_MAIN();
