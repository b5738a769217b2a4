// How the cost of finding the index grows with the robot: one point by ranks and by structure.
#include <benchmark/benchmark.h>

#include "benchmarks/growing_robots.hpp"
#include "example_jobs.hpp"
#include "tauflex/analysis/index_report.hpp"
#include "tauflex/equations/consistent_start.hpp"

namespace {

using namespace tauflex;

void measure(benchmark::State& state, const InverseProblem& problem, const RestState& start) {
  IndexReport report;
  for (auto _ : state) {
    report = report_index(problem, {{problem.begin(), start}});
    if (!report.available) state.SkipWithError(report.message.c_str());
  }
  if (!report.available) return;
  state.counters["dof"] = problem.robot().nv();
  state.counters["index"] = report.points.front().differential_index;
  state.counters["blocks"] = static_cast<double>(report.blocks.size());
  state.counters["gap"] = report.gap();
}

// Elastic drives and passive spring joints behind them.
void Chain(benchmark::State& state) {
  const InverseProblem problem =
      chain(static_cast<int>(state.range(1)), static_cast<int>(state.range(0)));
  measure(state, problem, consistent_start(problem));
}

void Example(benchmark::State& state, const char* name) {
  const Posed posed = pose(example_job(name));
  measure(state, posed.problem, posed.start);
}

BENCHMARK(Chain)
    ->Args({2, 4})
    ->Args({5, 5})
    ->Args({10, 5})
    ->Args({10, 10})
    ->Args({20, 10})
    ->Args({30, 20})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Example, e12, "e12")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Example, moberg_8dof, "moberg_8dof")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Example, six_axis_elastic, "six_axis_elastic")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
