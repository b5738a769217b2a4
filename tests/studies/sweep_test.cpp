// Studies of many runs: closed forms, laws of tables and journals, error messages.
#include "tauflex/studies/sweep.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <numbers>

#include "tauflex/studies/thread_engine.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

// A mass of 2 kg on a rail that is moved by 0.5 m: its force is m a.
const std::string slide =
    "job: {tauflex: 1, robot: {gravity: [0, 0, 0], links: [{name: slide, joint: {parent: world, "
    "type: prismatic, axis: x}, drive: {rotor_inertia: 0, limits: {torque: 10}}, mass: 2}]}, "
    "task: {outputs: [slide], path: {line: {from: [0], to: [0.5]}, duration: 1, profile: "
    "polynomial5}}, method: {exact: {step: 0.1}}, verification: {tolerance: 1e-3, torque: smooth}}";

Study study(const std::string& rest) {
  return read_study(Node::read_text("tauflex: 1\nstudy: {" + slide + ", " + rest + "}\n", "s.yaml"),
                    "s");
}

Sweep swept(const Study& asked, const std::filesystem::path& folder, int threads = 1) {
  ThreadEngine engine(threads);
  return sweep(asked, job_of(asked), {folder}, engine);
}

// Closed form: under the force of the nominal mass another mass, f times as heavy, lags by
// 0.5 m (1 - 1/f) in the end. f is uniform in 1 .. 1.2.
TEST(Sweep, MeanAndVarianceOfALinearPlant) {
  const TemporaryFolder folder;
  const Study asked = study(
      "sampling: {sobol: 256}, vary: {verification.plant.links.slide.mass: x1..x1.2}, within: "
      "verification.max_tool_error_m < 50 mm");
  const Sweep result = swept(asked, folder.path());
  ASSERT_TRUE(result.summary);
  const RunningMoments& error = result.summary->kept.front().moments;
  const double mean = 0.5 * (1 - std::log(1.2) / 0.2);
  const double square = 0.25 * (1 - 2 * std::log(1.2) / 0.2 + (1 - 1 / 1.2) / 0.2);
  EXPECT_EQ(error.count(), 256);
  // n points of one dimension are off by less than half of 1/n of the range of the error
  EXPECT_NEAR(error.mean(), mean, 0.5 / 256 * error.most());
  EXPECT_NEAR(error.variance(), square - mean * mean, 0.02 * (square - mean * mean));
  EXPECT_NEAR(error.most(), 0.5 * (1 - 1 / 1.2), 1e-3);  // the largest f of 256 is within 1/256
  // yield: 1 - 1/f < 0.1, f < 1 / 0.9
  EXPECT_NEAR(result.summary->yield->share(), (1 / 0.9 - 1) / 0.2, 1.0 / 256);
  EXPECT_TRUE(result.summary->yield->interval.contains((1 / 0.9 - 1) / 0.2));
  EXPECT_NEAR(*result.summary->kept.front().influences.front().rank_correlation, 1, 1e-12);
  EXPECT_EQ(result.summary->kept.front().influences.front().variance_share, 1);
}

// Law: one solution on many plants gives the rows of as many whole jobs.
TEST(Sweep, PlantsAreThoseOfWholeJobs) {
  const Study asked = study(
      "sampling: {random: 3}, vary: {verification.plant.links.slide.mass: x0.9..x1.1}, keep: "
      "[verification.max_tool_error_m, solution.least_margin, solution.drives.slide.speed]");
  const VariedJob job = job_of(asked);
  EXPECT_TRUE(job.solves_once());
  for (long run = 0; run < 3; ++run) {
    const auto values = values_of(asked, run);
    const StudyRow row = job.row(values);
    const Record whole = tauflex::run(job.job(values));
    ASSERT_TRUE(row.kept[0] && row.kept[1] && row.kept[2]);
    EXPECT_EQ(*row.kept[0], *whole.verification->max_tool_error_m);
    EXPECT_EQ(*row.kept[1], closest_limit(whole.limits)->margin);
    EXPECT_EQ(row.status, name(whole.verification->status));
    EXPECT_EQ(row.message, whole.verification->message);
    EXPECT_EQ(row.code, whole.exit_code());
  }
}

// f(x) = sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1, x uniform in -pi .. pi.
struct Ishigami {
  Sampling sampling;

  explicit Ishigami(long size)
      : sampling(SamplingKind::saltelli, size, 1,
                 std::vector<Distribution>(3, {.a = -std::numbers::pi, .b = std::numbers::pi}),
                 Node::read_text("here", "ishigami")) {}
  StudyColumns columns() const { return {{"x1", "x2", "x3"}, {"f"}}; }
  StudyRow row(long run) const {
    StudyRow made{.run = run, .status = "solved", .parameters = {}, .kept = {}};
    std::vector<double> x;
    for (int i = 0; i < 3; ++i) {
      x.push_back(sampling.value(run, i).number);
      made.parameters.push_back(std::to_string(x.back()));
    }
    made.kept = {std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) +
                 0.1 * std::pow(x[2], 4) * std::sin(x[0])};
    return made;
  }
  bool make(const std::filesystem::path& folder, int threads, bool resume = false) const {
    ThreadEngine engine(threads);
    return make_table(
        "ishigami", columns(), sampling.runs(),
        [this](long run, const Progress&) { return row(run); }, {folder, resume}, engine);
  }
};

// Closed form: V = 1/2 + a^2/8 + b pi^4/5 + b^2 pi^8/18 with a = 7, b = 0.1, and its parts.
TEST(Sweep, SobolIndicesOfTheIshigamiFunction) {
  const TemporaryFolder folder;
  const Ishigami function(1024);
  ASSERT_TRUE(function.make(folder.path(), 2));
  const StudySummary summary =
      summarize(folder.path() / "table.csv", function.columns(), function.sampling, {});
  const double pi4 = std::pow(std::numbers::pi, 4), b = 0.1;
  const double V1 = 0.5 * std::pow(1 + b * pi4 / 5, 2), V2 = 49.0 / 8;
  const double V13 = b * b * pi4 * pi4 * (1.0 / 18 - 1.0 / 50), V = V1 + V2 + V13;
  const double first[] = {V1 / V, V2 / V, 0}, total[] = {(V1 + V13) / V, V2 / V, V13 / V};
  for (size_t i = 0; i < 3; ++i) {
    const SobolIndex& index = *summary.kept.front().influences[i].sobol;
    EXPECT_TRUE(index.first_interval.contains(first[i])) << i << " " << index.first;
    EXPECT_TRUE(index.total_interval.contains(total[i])) << i << " " << index.total;
    EXPECT_LT(index.first_interval.high - index.first_interval.low, 0.2);  // it says something
    EXPECT_LT(index.total_interval.high - index.total_interval.low, 0.2);
  }
  EXPECT_NEAR(summary.kept.front().moments.variance(), V, 0.03 * V);  // 2048 even points
  EXPECT_EQ(summary.kept.front().moments.count(), 2048);
}

// Law: the bytes of a table do not depend on the number of threads.
TEST(SweepThreads, TablesAreTheSameBytes) {
  const TemporaryFolder folder;
  const Ishigami function(50);
  for (const int threads : {1, 2, 4})
    ASSERT_TRUE(function.make(folder.path() / std::to_string(threads), threads));
  const std::string one = content(folder.path() / "1/table.csv");
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 251);
  EXPECT_EQ(one, content(folder.path() / "2/table.csv"));
  EXPECT_EQ(one, content(folder.path() / "4/table.csv"));
  const Study asked =
      study("sampling: {latin_hypercube: 12}, vary: {robot.links.slide.mass: x0.5..x2}");
  for (const int threads : {1, 4})
    ASSERT_TRUE(swept(asked, folder.path() / std::to_string(10 + threads), threads).summary);
  EXPECT_EQ(content(folder.path() / "11/table.csv"), content(folder.path() / "14/table.csv"));
}

// Law: rows that were cut off or damaged are made again, others are not; the table is the same.
TEST(Sweep, GoesOnFromWhatIsWhole) {
  const TemporaryFolder folder;
  const Ishigami function(20);
  ASSERT_TRUE(function.make(folder.path() / "whole", 1));
  {
    std::filesystem::create_directories(folder.path() / "part");
    Journal journal(folder.path() / "part/rows.journal", "ishigami");
    for (const long run : {3L, 0L, 99L}) journal.append(function.row(run).text());
  }
  std::ofstream(folder.path() / "part/study.yaml") << "ishigami";
  std::string rows = content(folder.path() / "part/rows.journal");
  rows[rows.find("solved")] = 'S';  // of run 3
  std::ofstream(folder.path() / "part/rows.journal", std::ios::binary) << rows << "0123abcd 5,sol";
  ThreadEngine engine(1);
  std::vector<long> made;
  ASSERT_TRUE(make_table(
      "ishigami", function.columns(), function.sampling.runs(),
      [&](long run, const Progress&) {
        made.push_back(run);
        return function.row(run);
      },
      {folder.path() / "part", true}, engine));
  EXPECT_EQ(std::ssize(made), function.sampling.runs() - 2);
  EXPECT_EQ(std::count(made.begin(), made.end(), 3), 1);
  EXPECT_EQ(std::count(made.begin(), made.end(), 5), 1);
  EXPECT_EQ(std::count(made.begin(), made.end(), 99), 0);
  EXPECT_EQ(content(folder.path() / "whole/table.csv"), content(folder.path() / "part/table.csv"));
}

// Three of ten masses are negative: every row is there, with its sentence.
TEST(Sweep, RunsThatFailAreRows) {
  const TemporaryFolder folder;
  const Study asked =
      study("sampling: {latin_hypercube: 20}, vary: {robot.links.slide.mass: -0.3..0.7}");
  const Sweep result = swept(asked, folder.path(), 2);
  ASSERT_TRUE(result.summary);
  EXPECT_EQ(result.summary->runs, 20);
  EXPECT_EQ(result.summary->failed, 6);
  EXPECT_EQ(result.summary->by_status.at("invalid_input"), 6);
  EXPECT_EQ(result.summary->by_status.at("solved"), 14);
  EXPECT_EQ(result.summary->kept.front().moments.count(), 14);
  EXPECT_NE(result.summary->first_failure.find("mass"), std::string::npos);
  long rows = 0;
  for_each_row(folder.path() / "table.csv", result.columns, [&](const StudyRow& row) {
    EXPECT_EQ(row.run, rows++);
    EXPECT_EQ(row.code == ExitCode::success, row.message.empty()) << row.message;
    EXPECT_EQ(row.code == ExitCode::success, row.kept.front().has_value());
  });
  EXPECT_EQ(rows, 20);
}

// A run that ends on its way has computed some torques: they are no result.
TEST(Sweep, RunsWithoutAnAnswerHaveNoNumbers) {
  const Study asked = study(
      "sampling: {grid: 2}, vary: {task.path.duration: 0.3..1}, keep: [solution.peak_torque.slide, "
      "solution.least_margin, diagnosis.differential_index]");
  const VariedJob job = job_of(asked);
  const StudyRow failed = job.row(values_of(asked, 0)), solved = job.row(values_of(asked, 1));
  EXPECT_EQ(failed.code, ExitCode::not_converged) << failed.message;  // 0.1 s are too long a step
  EXPECT_FALSE(failed.kept[0] || failed.kept[1]);
  EXPECT_TRUE(failed.kept[2]);
  EXPECT_TRUE(solved.kept[0] && solved.kept[1] && solved.kept[2]);
}

// What varies besides numbers: methods, payloads, paths; and what of them a group is.
TEST(Sweep, KeysOfEveryKind) {
  const TemporaryFolder folder;
  const Study methods = study(
      "sampling: grid, vary: {method: {values: [{jets: {}}, {bdf: {order: 4, step: 0.01}}]}, "
      "robot.links.slide.drive.limits.torque: {values: [x0.5, 20]}}, records: {worst: 2}");
  EXPECT_EQ(methods.sampling->runs(), 4);
  const Sweep result = swept(methods, folder.path());
  ASSERT_TRUE(result.summary);
  EXPECT_EQ(result.summary->failed, 0);
  EXPECT_EQ(std::ssize(result.worst), 2);
  const std::string table = content(folder.path() / "table.csv");
  EXPECT_NE(table.find("jets: {}"), std::string::npos) << table;
  EXPECT_NE(table.find(",5,"), std::string::npos) << table;  // half of 10 N
  const Study together = study("sampling: {random: 2}, vary: {robot.mass: x0.5..x2}");
  EXPECT_EQ(together.parameters.front().name, "robot.links.slide.mass");
}

// The worst is the largest error but the least margin, unless a condition says otherwise.
TEST(Sweep, TheWorstIsWhatTheConditionSays) {
  const TemporaryFolder folder;
  const Study asked = study(
      "sampling: {grid: 5}, vary: {robot.links.slide.mass: 1..3}, keep: [solution.least_margin, "
      "solution.peak_torque.slide], records: {worst: 2, by: solution.least_margin}");
  const Sweep result = swept(asked, folder.path());
  ASSERT_TRUE(result.summary);
  EXPECT_EQ(result.worst, (std::vector<long>{4, 3}));  // the heaviest leave the least margin
  EXPECT_FALSE(result.summary->kept[0].worst_is_largest);
  EXPECT_EQ(result.summary->kept[0].worst.run, 4);
  EXPECT_EQ(result.summary->kept[1].worst.run, 4);
  const std::vector<Condition> above =
      read_conditions(Node::read_text("a.force >= 3 kN", "s.yaml"));
  EXPECT_EQ(above.front().bound, 3000);
  EXPECT_FALSE(is_worse_when_larger("a.force", above));
  EXPECT_TRUE(is_worse_when_larger("another.force", above));
}

TEST(Sweep, RefusesInOneSentence) {
  const auto refusal = [](const std::string& rest) -> std::string {
    try {
      job_of(study(rest));
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  };
  const auto expect = [&](const std::string& rest, const std::string& part) {
    const std::string sentence = refusal(rest);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 0) << sentence;
  };
  const std::string vary = "vary: {robot.links.slide.mass: x0.8..x1.2}";
  expect("sampling: {sobol: 10}, vary: {robot.links.slide.mas: 1..2}",
         "has no 'robot.links.slide.mas' that could vary; did you mean 'robot.links.slide.mass'?");
  expect("sampling: {sobol: 10}, vary: {robot.drives.*.stiffness: x1..x2}", "could vary");
  expect("sampling: {sobol: 10}, vary: {robot.drives.*.rotor_inertai: x1..x2}",
         "could vary; did you mean 'robot.drives.*.rotor_inertia'?");
  expect("sampling: {sobol: 10}, vary: {robot.links.*.mas: x1..x2}",
         "could vary; did you mean 'robot.links.*.mass'?");
  expect("sampling: {sobol: 10}, vary: {verification.plant.: x1..x2}", "could vary");
  expect("sampling: {sobol: 10}, vary: {}", "expected the keys of the job that vary");
  expect("sampling: {sobol: 1e12}, " + vary, "1e+12 runs");
  expect("sampling: {sobol: 0}, " + vary, "1 or more");
  expect("sampling: {sobl: 10}, " + vary, "did you mean 'sobol'");
  expect("sampling: sobol, " + vary, "expected grid, {sobol: 1000}");
  expect("sampling: grid, " + vary, "needs the number of its points");
  expect("sampling: {grid: 10}, vary: {robot.links.slide.mass: {values: []}}", "got none");
  expect("sampling: {sobol: 10}, vary: {robot.mass: x1..x2, robot.links.slide.mass: 1..2}",
         "varies twice");
  expect("sampling: {sobol: 10}, kep: [a], " + vary, "unknown key 'kep'; did you mean 'keep'?");
  expect("sampling: {sobol: 10}, within: a.b < 3 apples, " + vary,
         "expected a number behind '<', with or without a unit, got '3 apples'");
  expect("sampling: {sobol: 10}, keep: [verification.max_tol_error_m], " + vary,
         "s.yaml:2: study.keep: the record of s has no number 'verification.max_tol_error_m'; did "
         "you mean 'verification.max_tool_error_m'?");
  expect("sampling: {sobol: 10}, within: small, " + vary, "expected a condition");
  expect("sampling: {table: none.csv}", "none.csv");
  expect("sampling: {sobol: 10}, vary: {robot.links.slide.name: 1..2}", "expected a finite number");
}

}  // namespace
}  // namespace tauflex
