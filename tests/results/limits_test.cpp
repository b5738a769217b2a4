// How close a motion comes to limits: closed forms of sampled curves, and jobs.
#include "tauflex/results/limits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "example_jobs.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/result_page.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/results/record_json.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"

namespace tauflex {
namespace {

// One rigid drive on a joint with a range.
Robot one_axis(const Drive::Limits& limits, double lowest, double highest) {
  RobotDescription description;
  Link link;
  link.name = "axis";
  link.joint.axis = Vector3::UnitZ();
  link.joint.lowest = lowest;
  link.joint.highest = highest;
  link.inertia.mass = 1;
  link.inertia.about_com = Matrix3::Identity();
  link.inertia.given = {true, true, true, true, true, true};
  link.drive = Drive{.gear_ratio = 10, .elastic = {}, .limits = limits};
  description.links = {link};
  return Robot(description);
}

// q = sin(w t), u = 3 cos(w t) sampled so that no sample meets a peak.
Solution oscillation(double w, double h, int steps) {
  Solution s;
  s.t = Vector::LinSpaced(steps + 1, 0, steps * h).array() + 0.37 * h;
  s.q = (w * s.t.array()).sin().matrix().transpose();
  s.v = (w * (w * s.t.array()).cos()).matrix().transpose();
  s.u = (3 * (w * s.t.array()).cos()).matrix().transpose();
  s.vdot = Matrix::Zero(1, s.t.size());
  return s;
}

TEST(Limits, PeaksBetweenSamplesCount) {
  const Robot robot = one_axis({.torque = 4, .torque_rate = 200, .speed = 600}, -2, 2);
  const double w = 50;
  for (const double h : {2e-3, 1e-3}) {
    const Solution s = oscillation(w, h, 200);
    const DrivePeaks peaks = drive_peaks(robot, s, 0);
    const double x = w * h;
    // the parabola errs by x^3 / 15, the slope of the cubic by 3 x^4 / 640 and its parabola as u's
    EXPECT_NEAR(std::abs(peaks.torque.value), 3, 3 * 0.07 * x * x * x);
    EXPECT_NEAR(std::abs(peaks.torque_rate.value), 3 * w, 3 * w * 0.08 * x * x * x);
    EXPECT_NEAR(std::abs(peaks.speed.value), 10 * w, 10 * w * 0.07 * x * x * x);
    EXPECT_NEAR(std::abs(std::cos(w * peaks.torque.t)), 1, 1e-5);  // where it is
  }
}

TEST(Limits, MarginsAreSharesThatAreLeft) {
  const Robot robot = one_axis({.torque = 4, .torque_rate = 100, .speed = 600}, -0.5, 2);
  const auto margins = limit_margins(robot, oscillation(50, 1e-4, 2000));
  ASSERT_EQ(margins.size(), 4u);
  EXPECT_NEAR(margins[0].margin, 0.25, 1e-6);  // 3 of 4
  EXPECT_NEAR(margins[1].margin, -0.5, 1e-6);  // 150 of 100
  EXPECT_NEAR(margins[2].margin, 1 - 500.0 / 600, 1e-6);
  EXPECT_NEAR(margins[3].margin, -0.5 / 1.25, 1e-6);  // -1 is 0.5 below, half the range 1.25
  EXPECT_EQ(margins[3].limit, -0.5);
  EXPECT_NEAR(margins[3].value, -1, 1e-6);
  EXPECT_EQ(closest_limit(margins)->kind, LimitKind::torque_rate);
  EXPECT_EQ(exceeded(margins[1]).substr(0, 40), "the torque rate of 'axis' reaches 150 N ");
  EXPECT_EQ(exceeded(margins[3]).substr(0, 35), "joint 'axis' leaves its range: -1 r");
}

TEST(Limits, ShortAndOpenOnes) {
  const Robot open = one_axis({}, -std::numeric_limits<double>::infinity(), 3);
  const auto margins = limit_margins(open, oscillation(50, 1e-4, 2000));
  ASSERT_EQ(margins.size(), 1u);
  EXPECT_NEAR(margins[0].margin, 2, 1e-6);  // rad: open below
  const Robot robot = one_axis({.torque_rate = 1}, -1, 1);
  for (const int steps : {0, 1, 2}) {
    const auto few = limit_margins(robot, oscillation(50, 1e-3, steps));
    ASSERT_EQ(few.size(), 2u);
    for (const LimitMargin& margin : few) EXPECT_TRUE(std::isfinite(margin.margin)) << steps;
  }
  Solution none = oscillation(50, 1e-3, 1);
  none.t.resize(0);
  EXPECT_TRUE(limit_margins(robot, none).empty());
}

// E12 with limits: the run succeeds, and every report says what is exceeded.
TEST(Limits, ArePartOfEveryResult) {
  const Record record =
      run(example_job("e12_bdf", {"robot.links.upper.drive.limits={torque: 1e5}",
                                  "robot.links.fore.drive.limits={torque: 1e5, torque_rate: 1e8}",
                                  "robot.links.fore.joint.range=[-3, 3]"}));
  EXPECT_EQ(record.exit_code(), ExitCode::success);
  ASSERT_EQ(record.warnings.size(), 1u);
  EXPECT_TRUE(record.warnings[0].starts_with("the torque of 'upper' reaches 1.362e+05 N m at t = "))
      << record.warnings[0];
  const auto json = nlohmann::json::parse(record_json(record));
  const auto& limits = json.at("solution").at("limits");
  ASSERT_EQ(limits.size(), 4u);
  EXPECT_EQ(limits[0].at("of"), "upper");
  EXPECT_EQ(limits[0].at("limit"), "torque");
  EXPECT_EQ(limits[0].at("bound"), 1e5);
  EXPECT_NEAR(limits[0].at("margin").get<double>(), -0.362, 1e-3);  // 136 205 N m
  EXPECT_EQ(limits[3].at("limit"), "range");
  EXPECT_NE(text_summary(record).find("limits    torque of upper 1362"), std::string::npos)
      << text_summary(record);
  EXPECT_NE(plain_report(record).find("<h3>Limits</h3>"), std::string::npos);
  const std::string scene = scene_json(result_page(record));
  EXPECT_NE(scene.find("limit of upper"), std::string::npos);
  const Record unlimited = run(example_job("e12_bdf"));
  EXPECT_EQ(plain_report(unlimited).find("<h3>Limits</h3>"), std::string::npos);
  EXPECT_EQ(scene_json(result_page(unlimited)).find("limit of upper"), std::string::npos);
}

TEST(Limits, AreTheSecondVerdict) {
  const std::vector<std::string> limited = {"robot.links.upper.drive.limits={torque: 64000}"};
  const Record reported = run(example_job("e12_bdf", limited));
  EXPECT_EQ(reported.exit_code(), ExitCode::success);
  const std::string text = text_summary(reported);
  EXPECT_NE(text.find(": proved; limits: torque of upper exceeded by 113 %\n"), std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(record_json(reported));
  EXPECT_EQ(json.at("verdict").at("accuracy"), "proved");
  EXPECT_EQ(json.at("verdict").at("limits"), "exceeded");
  EXPECT_TRUE(result_page(reported).limits_exceeded);
  EXPECT_NE(plain_report(reported).find("proved exceeded"), std::string::npos);
  std::vector<std::string> strict = limited;
  strict.emplace_back("verification.limits=obey");
  EXPECT_EQ(run(example_job("e12_bdf", strict)).exit_code(), ExitCode::proof_missed);
  EXPECT_EQ(run(example_job("e12_bdf", strict), Until::solved).exit_code(), ExitCode::proof_missed);
  const Record kept = run(example_job(
      "e12_bdf", {"robot.links.upper.drive.limits={torque: 2e5}", "verification.limits=obey"}));
  EXPECT_EQ(kept.exit_code(), ExitCode::success);
  EXPECT_NE(text_summary(kept).find(": proved; limits kept\n"), std::string::npos);
}

// On a plant with a heavier hand the feedback changes what the motors get.
TEST(Limits, FeedbackCounts) {
  const std::vector<std::string> job = {
      "robot.links.upper.drive.limits={torque: 2e5}", "verification.mode=feedback",
      "verification.feedback={kp: [3e6, 1e6], kd: [3e4, 1e4]}",
      "verification.plant={links.hand.mass: 260}", "verification.tolerance=1"};
  const Record record = run(example_job("e12_bdf", job));
  ASSERT_TRUE(record.verification->commanded);
  const LimitMargin margin = record.limits.at(0);
  const double sent = record.verification->commanded->u.row(0).cwiseAbs().maxCoeff(),
               computed = record.solution.u.row(0).cwiseAbs().maxCoeff();
  EXPECT_GT(std::abs(sent - computed), 0.05 * computed);  // 121.7 and 136.2 kN m
  EXPECT_NEAR(std::abs(margin.value), sent,
              0.01 * sent);  // the top of the parabola between samples
  EXPECT_NE(text_summary(record).find("(peaks at the motors, with the feedback)"),
            std::string::npos);
  EXPECT_NE(text_summary(record).find("another plant: links.hand.mass 200 -> 260"),
            std::string::npos)
      << text_summary(record);
  EXPECT_NE(text_summary(record).find("proved on another plant; limits"), std::string::npos)
      << text_summary(record);
  const auto json = nlohmann::json::parse(record_json(record));
  EXPECT_EQ(json.at("solution").at("limits_of"), "the simulated run with feedback");
  EXPECT_NEAR(json.at("solution").at("drives").at("upper").at("torque").get<double>(),
              std::abs(margin.value), 1e-9 * sent);
  const Table simulated = simulated_table(record);
  EXPECT_NEAR(simulated.values.col(simulated.find("u.upper")).cwiseAbs().maxCoeff(), sent,
              0.01 * sent);
}

// The hand rings after a fast move: holding the tool takes more than moving it.
TEST(Limits, HoldsCount) {
  const auto torque = [&](const char* hold) {
    const Record record =
        run(example_job("e12_bdf", {"robot.links.upper.drive.limits={torque: 1e5}",
                                    "task.path.duration=0.28", hold}),
            Until::solved);
    return limit_margins(record.robot, record.solution).at(0);
  };
  const LimitMargin moved = torque("task.hold.after=0"), held = torque("task.hold.after=0.2");
  EXPECT_LE(moved.t, 0.28);
  EXPECT_GT(held.t, 0.28);
  EXPECT_LT(held.margin, moved.margin);
}

}  // namespace
}  // namespace tauflex
