// What a run leaves on disk.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/results/write_files.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Files, record_has_the_keys_that_scripts_rely_on) {
  const Record record = run(example_job("e12_bdf"));
  const auto json = nlohmann::json::parse(record_json(record));
  EXPECT_EQ(json.at("format"), 1);
  for (const char* key :
       {"differential_index", "required_smoothness", "minimum_phase", "zeros", "growth"})
    EXPECT_TRUE(json.at("diagnosis").contains(key)) << key;
  for (const char* key : {"status", "message", "method", "order", "step", "steps",
                          "newton_iterations", "solve_seconds", "max_constraint_residual"})
    EXPECT_TRUE(json.at("solution").contains(key)) << key;
  for (const char* key :
       {"status", "mode", "integrator", "torque", "growth", "max_tool_error_m", "rms_tool_error_m",
        "max_orientation_error_rad", "max_force_error_N", "energy_balance_error"})
    EXPECT_TRUE(json.at("verification").contains(key)) << key;
  EXPECT_DOUBLE_EQ(json.at("verification").at("max_tool_error_m"),
                   *record.verification->max_tool_error_m);
  EXPECT_DOUBLE_EQ(json.at("solution").at("peak_torque").at("upper"),
                   record.solution.u.row(0).cwiseAbs().maxCoeff());
}

TEST(Files, trajectory_columns_and_values) {
  const Record record = run(example_job("e12_bdf"), Until::solved);
  const Table table = trajectory_table(record);
  const std::vector<std::string> expected = {
      "t",       "q.upper",  "q.fore",   "q.hand",        "q.upper.rotor", "q.fore.rotor",
      "v.upper", "v.fore",   "v.hand",   "v.upper.rotor", "v.fore.rotor",  "u.upper",
      "u.fore",  "y.tool.x", "y.tool.z", "yd.tool.x",     "yd.tool.z"};
  EXPECT_EQ(table.columns, expected);
  EXPECT_EQ(table.values.rows(), record.solution.t.size());
  EXPECT_EQ(table.values(17, 11), record.solution.u(0, 17));
  EXPECT_NEAR(table.values(17, 13), table.values(17, 15), 1e-12);  // m; the output is on its path
}

TEST(Files, trajectory_at_a_rate) {
  const Record record = run(example_job("e12_bdf"), Until::solved);
  const Table table = trajectory_table(record, 250);
  ASSERT_EQ(table.values.rows(), 76);             // 0.3 s at 4 ms, both ends
  EXPECT_NEAR(table.values(10, 0), 0.04, 1e-15);  // s; rounding
  EXPECT_NEAR(table.values(10, 11), record.solution.u(0, 80),
              1e-6);  // N m; a sample time of the solver
}

// Where the method can tell the motion at any time, a table does: at the solver's own times, every
// row is the solution.
TEST(Files, a_rate_has_the_accuracy_of_the_method) {
  const Record record = run(example_job("e12"), Until::solved);
  const Solution& s = record.solution;
  ASSERT_NE(s.dense, nullptr);
  const Table table = trajectory_table(record, 1 / s.step);
  ASSERT_EQ(table.values.rows(), s.t.size());
  for (const char* drive : {"upper", "fore"}) {
    const int row = drive[0] == 'u' ? 0 : 1, column = table.find(std::string("u.") + drive);
    EXPECT_LT((table.values.col(column) - s.u.row(row).transpose()).cwiseAbs().maxCoeff(),
              1e-9 * s.u.row(row).cwiseAbs().maxCoeff());  // rounding of the times
  }
}

// Stable inversion begins 61 ms before the path; rows are on the grid of whose times 0 is one.
TEST(Files, a_rate_hits_the_start_of_the_path) {
  const Record record = run(example_job("e12_nonminimum"), Until::solved);
  const double begin = record.solution.t[0];
  ASSERT_LT(begin, -0.05);
  for (const double rate : {1000.0, 37.0}) {
    const Table table = trajectory_table(record, rate);
    const auto t = table.values.col(0);
    EXPECT_LE(t[0], begin + 1e-12);
    EXPECT_GT(t[0], begin - 1 / rate);
    EXPECT_EQ(t.cwiseAbs().minCoeff(), 0);
    EXPECT_NEAR(t[1] - t[0], 1 / rate, 1e-14);
    // before its first time the robot stands as it does there
    EXPECT_NEAR(table.values(0, table.find("u.upper")), record.solution.u(0, 0),
                1e-9 * record.solution.u.row(0).cwiseAbs().maxCoeff());
  }
}

TEST(Files, tables_are_read_back_and_proved) {
  const TemporaryFolder folder;
  const Job job = example_job("e12_bdf");
  const Record record = run(job);
  write_files(folder.path(), {{"trajectory.csv", format_table(trajectory_table(record))}});
  const Posed posed = pose(job);
  const TorqueTable table = read_trajectory(folder.path() / "trajectory.csv", posed.problem);
  EXPECT_TRUE(table.has_motion);
  EXPECT_EQ(table.solution.u, record.solution.u);
  const Record again = verify_table(job, posed, table);
  EXPECT_NEAR(*again.verification->max_tool_error_m, *record.verification->max_tool_error_m,
              1e-12);  // m; same bytes in
}

TEST(Files, a_table_without_a_torque_column) {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"u.csv", "t,u.uper,u.fore\n0,1,2\n0.1,1,2\n"}});
  try {
    read_trajectory(folder.path() / "u.csv", pose(example_job("e12_bdf")).problem);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("u.csv:1: column 'u.upper' is missing; did you mean 'u.uper'?"),
              std::string::npos)
        << error.what();
  }
}

TEST(Files, feedback_needs_the_motion) {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"u.csv", "t,u.upper,u.fore\n0,-5963,-2529\n0.3,-5963,-2529\n"}});
  const Job job = example_job("e12_bdf", {"verification.mode=feedback"});
  const Posed posed = pose(job);
  const TorqueTable table = read_trajectory(folder.path() / "u.csv", posed.problem);
  EXPECT_FALSE(table.has_motion);
  EXPECT_THROW(verify_table(job, posed, table), InputError);
}

TEST(Files, times_must_increase) {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"u.csv", "t,u.upper,u.fore\n0,1,2\n0.1,1,2\n0.1,1,2\n"}});
  try {
    read_trajectory(folder.path() / "u.csv", pose(example_job("e12_bdf")).problem);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("u.csv:4: times must increase, got 0.1 after 0.1"),
              std::string::npos)
        << error.what();
  }
}

// A result whose list names all of its files.
ResultFiles result(const std::string& text, const std::vector<std::string>& names) {
  ResultFiles files;
  for (const std::string& name : names) files[name] = text;
  std::vector<std::string> all = names;
  all.emplace_back("record.json");
  files["record.json"] = nlohmann::json({{"format", 1}, {"job", text}, {"files", all}}).dump();
  return files;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Files, of_the_result_before_go_with_it) {
  const TemporaryFolder folder;
  write_files(folder.path(), result("old", {"trajectory.csv", "torques.csv", "picture.svg"}));
  std::ofstream(folder.path() / "notes.txt") << "mine";
  write_files(folder.path(), result("new", {"trajectory.csv"}));
  EXPECT_EQ(names_in(folder.path()),
            (std::vector<std::string>{"notes.txt", "record.json", "trajectory.csv"}));
  EXPECT_EQ(content(folder.path() / "trajectory.csv"), "new");
  EXPECT_EQ(content(folder.path() / "notes.txt"), "mine");
}

TEST(Files, that_no_result_lists_are_not_touched) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "torques.csv") << "mine";
  // a list that names what is not of a result, inside the folder and outside
  std::ofstream(folder.path() / "notes.txt") << "mine";
  std::ofstream(folder.path() / "record.json")
      << R"({"format": 1, "job": "x", "files": ["notes.txt", "../outside", "record.json"]})";
  for (const auto& attempt : {1, 2}) {
    EXPECT_THROW(write_files(folder.path(), result("new", {"torques.csv"})), InputError) << attempt;
    EXPECT_EQ(content(folder.path() / "torques.csv"), "mine");
  }
  write_files(folder.path(), result("new", {"trajectory.csv"}));
  EXPECT_EQ(content(folder.path() / "torques.csv"), "mine");
  EXPECT_EQ(content(folder.path() / "notes.txt"), "mine");
  const std::vector<std::string> names = {"torques.csv"}, free = {"trajectory.csv"};
  EXPECT_THROW(require_free_names(folder.path(), names), InputError);
  EXPECT_NO_THROW(require_free_names(folder.path(), free));
  const std::vector<std::string> read = {(folder.path() / "trajectory.csv").string()};
  EXPECT_THROW(require_free_names(folder.path(), free, read), InputError);
}

// Two writers and a reader: where a list is, all files are of its run.
TEST(Files, of_two_writers_never_mix) {
  const TemporaryFolder folder;
  constexpr int rounds = 60;
  std::atomic<int> writing = 2;
  const auto write = [&](char writer) {
    for (int i = 0; i < rounds; ++i)
      write_files(folder.path(), result(fmt::format("{}{}", writer, i),
                                        {"trajectory.csv", "report.html", "simulated.csv"}));
    --writing;
  };
  const auto job = [&] {
    const auto json = nlohmann::json::parse(content(folder.path() / "record.json"), nullptr, false);
    return json.is_object() ? json.at("job").get<std::string>() : "";
  };
  std::thread a(write, 'a'), b(write, 'b');
  int looked = 0, mixed = 0;
  do {
    const std::string before = job();
    const std::string first = content(folder.path() / "report.html"),
                      second = content(folder.path() / "trajectory.csv");
    if (before.empty() || job() != before) continue;  // it was replaced meanwhile
    ++looked;
    mixed += first != before || second != before;
  } while (writing > 0);
  a.join();
  b.join();
  EXPECT_EQ(mixed, 0) << "of " << looked;
  EXPECT_EQ(content(folder.path() / "trajectory.csv"), job());
  EXPECT_EQ(names_in(folder.path()).size(), 4u);
}

// Killed while it moved its files: the list is not there yet, a draft is.
TEST(Files, of_a_program_that_was_killed_are_replaced) {
  const TemporaryFolder folder;
  write_files(folder.path(), result("killed", {"trajectory.csv", "torques.csv"}));
  fs::create_directory(folder.path() / ".draft-99999999");
  fs::rename(folder.path() / "record.json", folder.path() / ".draft-99999999" / "record.json");
  write_files(folder.path(), result("new", {"trajectory.csv"}));
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"record.json", "trajectory.csv"}));
}

TEST(Files, all_or_nothing) {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"a.txt", "old"}, {"b.txt", "old"}});
  EXPECT_THROW(write_files(folder.path(), {{"a.txt", "new"}, {"missing/b.txt", "new"}}),
               InputError);
  EXPECT_EQ(content(folder.path() / "a.txt"), "old");
  fs::create_directory(folder.path() / "c.txt");
  EXPECT_THROW(write_files(folder.path(), {{"a.txt", "new"}, {"c.txt", "new"}}), InputError);
  EXPECT_EQ(content(folder.path() / "a.txt"), "old");
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".draft")) << entry.path();
}

TEST(Files, a_folder_that_cannot_be_made) {
  const TemporaryFolder folder;
  write_files(folder.path(), {{"file", "x"}});
  try {
    write_files(folder.path() / "file" / "out", {{"a.txt", "x"}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be written"), std::string::npos)
        << error.what();
  }
}

TEST(FreeRun, holding_torques_hold) {
  const FreeRun result = simulate_job(example_job("e12_bdf"), {.duration = 0.5});
  EXPECT_EQ(result.simulation.status, Status::solved);
  EXPECT_LT((result.simulation.q.colwise() - result.simulation.q.col(0)).cwiseAbs().maxCoeff(),
            1e-7);  // rad; an unstable rest state
}

// Law: a table that is written some rows at a time is the text of the whole.
TEST(Files, long_tables) {
  for (const int rows : {0, 1, 4096, 4097, 10000}) {
    Table table{{"t", "x"}, Matrix(rows, 2)};
    for (int i = 0; i < rows; ++i) table.values.row(i) << i, 1.0 / (i + 1);
    std::ostringstream text;
    FileContent([&] { return table; }).write(text);
    EXPECT_EQ(text.str(), format_table(table)) << rows;
  }
}

}  // namespace
}  // namespace tauflex
