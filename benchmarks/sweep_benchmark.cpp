// What a study costs beside its simulations: 100 plants of E12, one solution. CPU time, so that
// other programs on the machine do not count; the ratio of wall times says something on a quiet
// machine.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "tauflex/results/record_numbers.hpp"
#include "tauflex/studies/journal.hpp"
#include "tauflex/studies/sweep.hpp"
#include "tauflex/studies/thread_engine.hpp"

namespace {

using namespace tauflex;

struct Cost {
  double cpu, wall;  // s
};

template <class F>
Cost cost(const F& f) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  f();
  return {static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

// Rows that cost nothing: engine, journal and table alone; the memory of the process before and
// after.
void stream_rows(const std::filesystem::path& folder, long rows) {
  const auto memory = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;  // MB
  };
  const double before = memory();
  const StudyColumns columns{{"a", "b", "c", "d", "e", "f"}, {"x", "y"}};
  ThreadEngine engine(2);
  const Cost all = cost([&] {
    make_table(
        "rows", columns, rows,
        [](long run, const Progress&) {
          const std::string text = std::to_string(96457.538488321 + static_cast<double>(run));
          return StudyRow{.run = run,
                          .status = "solved",
                          .parameters = std::vector<std::string>(6, text),
                          .kept = {0.08756894689060693, 0.04588799261127527}};
        },
        {folder}, engine);
  });
  fmt::print(
      "{} rows on 2 threads    {:6.2f} us CPU each, {:.0f} bytes each, {:.0f} MB more memory\n",
      rows, 1e6 * all.cpu / static_cast<double>(rows),
      static_cast<double>(std::filesystem::file_size(folder / "table.csv")) /
          static_cast<double>(rows),
      memory() - before);
}

}  // namespace

int main(int argc, char** argv) {
  const long runs = argc > 1 ? std::atol(argv[1]) : 100;
  const Study study =
      read_study(std::filesystem::path(TAUFLEX_SOURCE_DIR "/examples/study_stiffness.yaml"),
                 {fmt::format("study.sampling={{sobol: {}}}", runs)});
  const VariedJob job = job_of(study);
  const Record& nominal = job.nominal();
  const Posed posed = plan(nominal.job);
  const InverseProblem problem = posed.problem.with_window(nominal.solution.window);
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("tauflex_sweep_{}", getpid());

  std::vector<Robot> plants;
  for (long run = 0; run < runs; ++run)
    plants.push_back(plant_on(job.job(values_of(study, run)), posed.problem, posed.start));
  const Cost single = cost([&] {
    for (const Robot& plant : plants)
      prove(plant, problem, nominal.solution, nominal.job.verification);
  });
  fmt::print("single simulations        {:8.3f} ms CPU each\n", 1e3 * single.cpu / runs);

  // All that a run does besides the simulation: values, plant, numbers of the record, row, journal.
  std::filesystem::create_directories(folder);
  constexpr long repeated = 2000;
  const Cost beside = cost([&] {
    Journal journal(folder / "rows", "benchmark");
    Job own = nominal.job;
    const Node none = Node::read_text("{}", "plant");
    for (long run = 0; run < repeated; ++run) {
      const auto values = values_of(study, run % runs);
      Node changes = none.copy();
      for (size_t i = 0; i < values.size(); ++i)
        job.parameters()[i].apply_to_plant(values[i], changes);
      read_plant(study.job.at("robot"), changes, own);
      const Robot plant = plant_on(own, posed.problem, posed.start);
      StudyRow row{.run = run, .status = "solved", .parameters = {}, .kept = {}};
      for (size_t i = 0; i < values.size(); ++i)
        row.parameters.push_back(job.parameters()[i].text(values[i]));
      row.kept = record_numbers(nominal, job.keys());
      journal.append(row.text());
    }
  });
  fmt::print("overhead per run          {:8.1f} us CPU\n", 1e6 * beside.cpu / repeated);

  for (const int threads : {1, 2}) {
    ThreadEngine engine(threads);
    const Cost study_cost =
        cost([&] { sweep(study, job, {folder / std::to_string(threads)}, engine); });
    fmt::print(
        "study on {} thread{}        {:8.3f} ms CPU per run, {:.3f} of single simulations; wall "
        "{:.3f} of theirs over threads\n",
        threads, threads > 1 ? "s" : " ", 1e3 * study_cost.cpu / runs, study_cost.cpu / single.cpu,
        study_cost.wall / (single.wall / threads));
  }
  stream_rows(folder / "rows_alone", argc > 2 ? std::atol(argv[2]) : 1'000'000);
  std::filesystem::remove_all(folder);
}
