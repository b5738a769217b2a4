// The whole motion of E12, 300 steps of 1 ms, by the generic solver. The paper took 152 s for
// order 6.
#include <benchmark/benchmark.h>

#include "tauflex/results/job.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

void e12(benchmark::State& state, BdfForm form) {
  static const PosedProblem posed = pose(read_job(TAUFLEX_SOURCE_DIR "/examples/e12.yaml"));
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

}  // namespace
}  // namespace tauflex

BENCHMARK_MAIN();
