// Texts: units, rounding, and the summary on a terminal.
#include "tauflex/report/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "example_records.hpp"
#include "page_text.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/record_charts.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

TEST(Text, EscapesMarkupAndControl) {
  EXPECT_EQ(escape("a<b>&\"'c"), "a&lt;b&gt;&amp;&quot;&#39;c");
  EXPECT_EQ(escape("arm µ 臂"), "arm µ 臂");
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\uFFFD[2Jb");
  EXPECT_EQ(printable("a\nb\tc"), "a b c");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(printable("\xC2\x9B"
                      "1m"),
            "\uFFFD1m");  // the one-character escape
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "abc"),
            "\uFFFDabc");                                      // right to left
  EXPECT_EQ(printable("\xC0\xBC"), "\uFFFD\uFFFD");            // an overlong '<'
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // half a surrogate pair
  EXPECT_EQ(printable("\xE2\x82"), "\uFFFD\uFFFD");            // cut short
  EXPECT_EQ(shortened("µµµµ", 3), "µµ…");
}

TEST(Text, UnitsFitTheSize) {
  EXPECT_EQ(size_text(1.23e-5, Quantity::length, 2), "0.012 mm");
  EXPECT_EQ(size_text(0.37e-3, Quantity::length, 2), "0.37 mm");
  EXPECT_EQ(size_text(0.37, Quantity::length, 2), "370 mm");
  EXPECT_EQ(size_text(3.6, Quantity::length, 2), "3.6 m");
  EXPECT_EQ(size_text(4.5e-7, Quantity::length), "0.45 µm");
  EXPECT_EQ(size_text(4.5e-11, Quantity::length), "0.045 nm");
  EXPECT_EQ(size_text(0, Quantity::length), "0 mm");
  EXPECT_EQ(size_text(2.5e-5, Quantity::angle), "0.025 mrad");
  EXPECT_EQ(number(84512.3, 3), "84500");
  EXPECT_EQ(number(2.14e-9, 2), "2.1e-9");
  EXPECT_EQ(number(5.7e12, 3), "5.7e12");
}

TEST(Text, RoundingNeverCrossesTheTolerance) {
  EXPECT_EQ(error_text(1.0004e-3, 1e-3, Quantity::length), "1.0004 mm");
  EXPECT_EQ(error_text(0.99996e-3, 1e-3, Quantity::length), "1 mm");  // at the tolerance: within
  EXPECT_EQ(error_text(1.2e-5, 1e-3, Quantity::length), "0.012 mm");
  EXPECT_EQ(error_text(4e-13, 1e-3, Quantity::length), "< 1 nm");  // rounding says nothing
  EXPECT_EQ(error_text(4e-13, 1e-12, Quantity::length), "0.0004 nm");
}

TEST(Summary, Proved) {
  const std::string first =
      "e12_bdf: tool error 0.012 mm max, 0.004 mm rms (tolerance 1 mm): proved\n"
      "  rigid     with torques of the rigid robot it would be 946 mm\n"
      "  torque    upper 136000 N m, fore 84500 N m (peaks at the motors)\n"
      "  after     hand 321 mrad at 7.95 Hz, decays to 1/e in 1.6 s; holding takes upper "
      "±105000 N m, fore ±67600 N m\n"
      "  proof     open-loop forward simulation, torque linear between samples\n";
  EXPECT_EQ(text_summary(round_numbers()), first);
  EXPECT_EQ(
      text_summary(round_numbers(), Detail::all),
      first +
          "  growth    open loop, errors grow 2.2 times\n"
          "  method    bdf blockwise, order 3, step 0.5 ms, 600 steps, 0.0012 s\n"
          "  pose      smallest singular-value ratio 0.06, at t = 0 s: upper = -0.0107404, fore "
          "= 0.311402, "
          "hand = 0.00187289\n"
          "  problem   index 4, torque depends on the path's 3rd derivative, minimum phase\n");
}

TEST(Summary, Missed) {
  const std::string text = text_summary(missed());
  EXPECT_TRUE(
      text.starts_with("e12_bdf: tool error 3.2 mm max, 1.1 mm rms (tolerance 1 mm): missed\n"));
  EXPECT_FALSE(contains(text, "proved"));
}

TEST(Summary, NotConverged) {
  const std::string text = text_summary(not_converged());
  EXPECT_TRUE(
      text.starts_with("e12_bdf: not converged: t = 0.42 s: Newton failed in equation 'servo "
                       "tool.z' (off by 2); x < 1 & y > 2\n"));
  EXPECT_TRUE(contains(text, "(peaks so far, at the motors)"));
  EXPECT_FALSE(contains(text, "  proof"));
}

TEST(Summary, InvertOnly) {
  const std::string text = text_summary(invert_only());
  EXPECT_TRUE(text.starts_with("e12_bdf: torques computed, not verified\n"));
  EXPECT_FALSE(contains(text, "tool error"));
  EXPECT_EQ(count(text, "\n"), 3u);
}

TEST(Summary, ModesAndHoldsAreNamed) {
  Record record = round_numbers();
  record.verification->mode = VerificationMode::segments;
  record.verification->segments = 7;
  record.verification->torque = Hold::held;
  record.verification->log_growth = std::log(3.2e11);
  EXPECT_TRUE(contains(text_summary(record, Detail::all),
                       "  proof     forward simulation in 7 segments, torque held between samples\n"
                       "  growth    open loop, errors grow 3.2e11 times\n"));
  record.verification->log_growth = 900;
  EXPECT_TRUE(contains(text_summary(record, Detail::all), "errors grow more than 1e12 times\n"));
  EXPECT_TRUE(contains(plain_report(record), "restarted from the solution 6 times"));
  record.verification->mode = VerificationMode::feedback;
  record.verification->controller = "PD control of the motors on top of the torques";
  EXPECT_TRUE(contains(text_summary(record),
                       "forward simulation with PD control of the motors on top of the torques"));
  EXPECT_TRUE(contains(plain_report(record), "The torques alone are not proved."));
}

TEST(Summary, AnglesAndForcesHaveTheirUnits) {
  const std::string joint = text_summary(run(read_job(example("flexible_joint"))));
  EXPECT_TRUE(std::regex_search(
      joint, std::regex("tool error [0-9.]+ mrad max, [0-9.]+ mrad rms \\(tolerance 1 mrad\\): ")))
      << joint;
  const Record cars = run(read_job(example("two_cars")));
  EXPECT_TRUE(std::regex_search(text_summary(cars),
                                std::regex("torque    front [0-9.]+ N \\(peaks at the motors\\)")))
      << text_summary(cars);
  EXPECT_EQ(torque_charts(cars).at(0).y_label, "u (N)");
}

TEST(Summary, CannotDriveATerminal) {
  Record record = not_converged();
  record.job.name = "a\x1b]0;owned\x07\nb";
  record.solution.message = "\x1b[2J";
  const std::string text = text_summary(record);
  for (const char c : text) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_EQ(count(text, "\n"), 3u);
}

}  // namespace
}  // namespace tauflex
