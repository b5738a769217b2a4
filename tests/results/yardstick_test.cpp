// What a proof is measured by: default tolerances, standing still, and the part of the task that a
// table of torques is for.
#include "tauflex/results/yardstick.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

// A mass on a spring, moved by less than a millimetre.
Job small_move(const std::vector<std::string>& overrides = {}) {
  return read_job(Node::read_text("tauflex: 1\n"
                                  "robot:\n"
                                  "  gravity: [0, 0, 0]\n"
                                  "  links:\n"
                                  "    - name: a\n"
                                  "      joint: {parent: world, type: prismatic, axis: x}\n"
                                  "      drive: {stiffness: 1e6, damping: 100, rotor_inertia: 1}\n"
                                  "      mass: 1\n"
                                  "  frames:\n"
                                  "    tool: {link: a}\n"
                                  "task:\n"
                                  "  outputs: [tool.x]\n"
                                  "  path: {line: {from: [0], to: [0.0009]}, duration: 0.1}\n",
                                  "small.yaml"),
                  "small", overrides);
}

TorqueTable torques(const Posed& posed, const std::string& csv) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "table.csv";
  std::ofstream(path) << csv;
  return read_trajectory(path, posed.problem);
}

Record verified(const Job& job, const std::string& csv) {
  const Posed posed = pose(job);
  return verify_table(job, posed, torques(posed, csv));
}

const char* no_torque = "t,u.a\n0,0\n0.1,0\n";

TEST(Yardstick, NoTorqueDoesNotProveASmallMove) {
  const Record record = verified(small_move(), no_torque);
  EXPECT_EQ(record.verification->status, Status::missed);
  EXPECT_EQ(record.exit_code(), ExitCode::proof_missed);
  EXPECT_NEAR(*record.verification->tolerance.length, 9e-6, 1e-12);  // 1 % of the move, exactly
  EXPECT_NEAR(*record.verification->standing_still.length, 9e-4, 1e-12);
  EXPECT_EQ(run(small_move()).exit_code(), ExitCode::success);  // the right torques do
}

TEST(Yardstick, AnOwnToleranceIsObeyedAndSaidToBeVacuous) {
  const Record record = verified(small_move({"verification.tolerance=0.001"}), no_torque);
  EXPECT_EQ(record.verification->status, Status::solved);
  EXPECT_EQ(text_summary(record).find("proved"), std::string::npos) << text_summary(record);
  EXPECT_NE(text_summary(record).find("within the tolerance, as standing still would be"),
            std::string::npos)
      << text_summary(record);
  EXPECT_NE(html_report(record).find("Standing still would have scored 0.9 mm"), std::string::npos);
  const auto json = nlohmann::json::parse(record_json(record));
  EXPECT_EQ(json.at("verdict").at("accuracy"), "as standing still");
  EXPECT_NEAR(json.at("verification").at("standing_still_m").get<double>(), 9e-4, 1e-12);
}

TEST(Yardstick, LargeMotionsKeepTheirMillimetre) {
  const Record record = run(example_job("e12_bdf", {"verification={}"}));
  EXPECT_EQ(*record.verification->tolerance.length, 1e-3);
  EXPECT_FALSE(record.verification->tolerance.angle);
  // m; from (2.146, -0.345) to (1.146, 1.645), to rounding
  EXPECT_NEAR(*record.verification->standing_still.length, std::hypot(1, 1.99), 1e-12);
  EXPECT_FALSE(record.verification->proves_standing_still());
  EXPECT_NE(text_summary(record).find("(tolerance 1 mm): proved\n"), std::string::npos);
}

// The tool may be anywhere between two rows of a table.
TEST(Yardstick, ErrorsBetweenRowsCount) {
  const Job there_and_back =
      small_move({"task.path=[{line: {from: [0], to: [0.5]}, duration: 1}, {line: {to: [0]}, "
                  "duration: 1}]",
                  "verification.tolerance=0.01"});
  const Record record = verified(there_and_back, "t,u.a\n0,0\n1.9999,0\n2,0\n");
  EXPECT_NEAR(*record.verification->max_tool_error_m, 0.5, 1e-9);  // m; it never moved
  EXPECT_EQ(record.verification->status, Status::missed);
}

// E12 by rows of its own solution.
std::string rows_of_e12(Eigen::Index first, Eigen::Index count, double later = 0) {
  static const Record record = run(example_job("e12_bdf"), Until::solved);
  Table table = trajectory_table(record);
  table.values = table.values.middleRows(first, count).eval();
  table.values.col(0).array() += later;
  return format_table(table);
}

TEST(Coverage, APartOfThePathIsNotProved) {
  const Record two_rows = verified(example_job("e12_bdf"), rows_of_e12(0, 2));
  EXPECT_EQ(two_rows.verification->status, Status::missed);
  EXPECT_EQ(two_rows.exit_code(), ExitCode::proof_missed);
  EXPECT_NEAR(two_rows.verification->covered.share, 1.0 / 600, 1e-9);
  const std::string text = text_summary(two_rows);
  EXPECT_NE(text.find("on 0.167 % of the path (tolerance 1 mm): not proved"), std::string::npos)
      << text;
  EXPECT_NE(html_report(two_rows).find("nothing is known about the rest"), std::string::npos);
  const Record middle = verified(example_job("e12_bdf"), rows_of_e12(300, 301));
  EXPECT_EQ(middle.verification->status, Status::missed);
  EXPECT_NEAR(middle.verification->covered.share, 0.5, 1e-9);
  EXPECT_EQ(verified(example_job("e12_bdf"), rows_of_e12(0, 601)).exit_code(), ExitCode::success);
}

TEST(Coverage, ATableOfAnotherTimeIsRefused) {
  for (const double later : {10.0, 1000.0}) try {
      verified(example_job("e12_bdf"), rows_of_e12(0, 601, later));
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("for no part of the path"), std::string::npos)
          << error.what();
    }
}

TEST(Coverage, ALaterStartNeedsTheMotion) {
  try {
    verified(example_job("e12_bdf"), "t,u.upper,u.fore\n0.1,-5963,-2529\n0.3,-5963,-2529\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("it begins at t = 0.1 s, the task at 0 s"),
              std::string::npos)
        << error.what();
  }
}

// Samples of 7 ms do not meet the end of 0.3 s; a controller holds the last one.
TEST(Coverage, TheLastSampleHoldsToTheEnd) {
  const Record solved = run(example_job("e12_bdf"), Until::solved);
  const std::string csv = format_table(trajectory_table(solved, 1000.0 / 7));
  const Record record = verified(example_job("e12_bdf", {"verification.tolerance=0.05"}), csv);
  EXPECT_TRUE(record.verification->covered.is_whole());
  EXPECT_EQ(record.verification->t[record.verification->t.size() - 1], 0.3);
}

// A table starts where the task does, whatever its first row says: a robot that is pushed at the
// start is not the task's.
TEST(Coverage, ATableStartsAtRest) {
  const Posed posed = pose(example_job("e12_bdf"));
  TorqueTable table = torques(posed, rows_of_e12(0, 601));
  const double error =
      *verify_table(example_job("e12_bdf"), posed, table).verification->max_tool_error_m;
  table.solution.v.col(0).setConstant(0.1);
  EXPECT_EQ(*verify_table(example_job("e12_bdf"), posed, table).verification->max_tool_error_m, error);
}

}  // namespace
}  // namespace tauflex
