// Methods side by side: the tables of [Moberg2009, section 7], with everything it could not solve.
#include "tauflex/studies/compare.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/report/comparison_table.hpp"
#include "tauflex/report/study_json.hpp"

namespace tauflex {
namespace {

std::vector<std::string> names(const std::vector<ComparedMethod>& rows,
                               const std::string& dynamics) {
  std::vector<std::string> result;
  for (const ComparedMethod& row : rows)
    if (row.dynamics == dynamics) result.push_back(row.method);
  return result;
}

TEST(Compare, e1) {
  const auto rows = compare(example_job("e1_simplified"), {.order = 3, .step = 1e-3});
  EXPECT_EQ(names(rows, "linearised"),
            (std::vector<std::string>{"HI", "DD (43)", "DD (44)", "DD (48)", "DD (49)", "KM", "DC",
                                      "variable step", "blockwise", "jets"}));
  EXPECT_TRUE(names(rows, "nonlinear").empty());  // E1 simplified is linearised already
  for (const ComparedMethod& row : rows) {
    SCOPED_TRACE(row.method);
    if (row.method == "DD (48)") {
      EXPECT_EQ(row.status, Status::not_converged);
      EXPECT_NE(row.message.find("singular"), std::string::npos);
      EXPECT_FALSE(row.torque_error);
      continue;
    }
    ASSERT_EQ(row.status, Status::solved) << row.message;
    EXPECT_LT(row.torque_error.value(), 1e-2);  // 3.3e-4 measured
    EXPECT_LT(row.tool_error_m.value(), 1e-4);
    EXPECT_GT(row.newton_iterations, 0);
    if (row.method == "jets") EXPECT_LT(row.torque_error.value(), 1e-8);
  }
}

// `run` refuses this step: over 5 s bdf of order 4 multiplies the ringing of the hand.
TEST(Compare, shows_what_becomes_of_an_unstable_formula) {
  const Job job =
      example_job("e12_bdf", {"task.hold={after: 5}", "method={bdf: {order: 4, step: 0.02}}"});
  EXPECT_EQ(run(job).exit_code(), ExitCode::not_solvable);
  bool shown = false;
  for (const ComparedMethod& row :
       compare(job, {.order = 4, .step = 0.0203, .linearised = false})) {
    if (row.method == "jets") EXPECT_LT(row.torque_error.value(), 1e-6);
    if (row.method == "blockwise") {
      shown = true;
      EXPECT_TRUE(row.status != Status::solved || row.torque_error.value() > 1) << row.message;
    }
  }
  EXPECT_TRUE(shown);
}

TEST(Compare, e12_in_both_dynamics) {
  const auto rows = compare(example_job("e12_bdf"), {.order = 3, .step = 1e-3});
  std::vector<std::string> expected = {"I3",        "I2",  "I1", "KM", "DC", "variable step",
                                       "blockwise", "jets"};
  EXPECT_EQ(names(rows, "linearised"), expected);
  expected.emplace_back("parallel");  // frames of elements are nonlinear
  EXPECT_EQ(names(rows, "nonlinear"), expected);
  for (const ComparedMethod& row : rows) {
    SCOPED_TRACE(row.dynamics + " " + row.method);
    ASSERT_EQ(row.status, Status::solved) << row.message;
    EXPECT_LT(row.torque_error.value(), 1e-2);  // 0.2 % measured
    EXPECT_LT(row.tool_error_m.value(), 1e-3);  // 0.06 mm measured
  }
}

TEST(Compare, rows_as_text_and_json) {
  const auto rows =
      compare(example_job("rigid_2r"), {.order = 2, .step = 5e-3, .linearised = false});
  const auto json = nlohmann::json::parse(comparison_json(rows));
  ASSERT_EQ(json.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(json[i].at("method"), rows[i].method);
    EXPECT_EQ(json[i].at("status"), name(rows[i].status));
    for (const char* key : {"dynamics", "message", "order", "step", "solve_seconds", "torque_error",
                            "max_tool_error_m", "newton_iterations", "condition"})
      EXPECT_TRUE(json[i].contains(key)) << key;
  }
  const std::string text = comparison_text("rigid_2r", rows);
  for (const ComparedMethod& row : rows) EXPECT_NE(text.find(row.method), std::string::npos);
}

// Constraints move this one: no drives, no outputs.
TEST(Compare, a_robot_without_torques) {
  const auto rows = compare(example_job("anthropomorphic_absolute"), {.order = 2, .step = 0.02});
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().status, Status::solved) << rows.front().message;
  EXPECT_FALSE(rows.front().torque_error);
}

TEST(Compare, options_are_checked) {
  try {
    compare(example_job("e1_simplified"), {.order = 9});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "compare.order: must be 1 to 6, got 9");
  }
}

TEST(Compare, can_be_stopped) {
  int calls = 0;
  const auto rows = compare(example_job("e12_bdf"), {.order = 3, .step = 1e-3},
                            [&](const char*, double) { return ++calls < 3; });
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.back().status, Status::interrupted);
}

}  // namespace
}  // namespace tauflex
