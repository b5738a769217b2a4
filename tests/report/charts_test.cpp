// Charts: gaps, extremes, ticks and marks are where the numbers are.
#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "example_records.hpp"
#include "page_text.hpp"
#include "tauflex/report/axis_ticks.hpp"
#include "tauflex/report/decimation.hpp"
#include "tauflex/report/record_charts.hpp"
#include "tauflex/report/svg_chart.hpp"
#include "tauflex/report/tool_path_chart.hpp"
#include "tauflex/results/run.hpp"

namespace tauflex {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

Chart chart_of(const Vector& x, const Vector& y) {
  return {
      .title = "c", .x_label = "t (s)", .y_label = "y", .series = {{.name = "a", .x = x, .y = y}}};
}

// The data of the first line that is no grid line, up to its closing quote.
std::string line_data(const std::string& svg) {
  const size_t line = svg.find("<path class=\"line");
  if (line == std::string::npos) return "(none)";
  const size_t begin = svg.find(" d=\"", line) + 4;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

TEST(Chart, ConstantsSinglePointsAndNothingHaveAPicture) {
  const std::vector<Chart> charts = {
      chart_of(Vector::LinSpaced(5, 0, 1), Vector::Constant(5, 7)),
      chart_of(Vector::LinSpaced(5, 0, 1), Vector::Zero(5)),
      chart_of(Vector::LinSpaced(5, 0, 1), Vector::Constant(5, 1e-300)),
      chart_of(Vector::Constant(1, 3), Vector::Constant(1, -2)),
      chart_of(Vector(0), Vector(0)),
      chart_of(Vector::Constant(2, nan), Vector::Constant(2, inf)),
      chart_of(Vector::LinSpaced(3, 0, 1), Vector::Constant(3, 1.7e308))};
  for (Chart chart : charts)
    for (const Scale scale : {Scale::linear, Scale::logarithmic, Scale::equal}) {
      chart.scale = scale;
      chart.unit = "m";
      const std::string svg = chart_svg(chart);
      expect_well_formed(svg);
      EXPECT_FALSE(std::regex_search(svg, std::regex("[^a-z](nan|inf)[^a-z]"))) << svg;
      EXPECT_GE(count(svg, "class=\"tick\""), 1u);
    }
  EXPECT_TRUE(line_data(chart_svg(charts[3])).ends_with("h0"));  // a dot
  EXPECT_EQ(line_data(chart_svg(charts[5])).find('L'), std::string::npos);
}

TEST(Chart, WhatIsNotFiniteLeavesAGap) {
  Vector y(7);
  y << 1, 2, nan, 3, 4, inf, 5;
  const std::string data = line_data(chart_svg(chart_of(Vector::LinSpaced(7, 0, 6), y)));
  EXPECT_EQ(count(data, "M"), 3u) << data;
  EXPECT_EQ(count(data, "L"), 2u) << data;
}

TEST(Chart, ALogarithmicLineEndsAtTheEdgeWhereItFallsBelow) {
  Vector y(5);
  y << 0, 1e-30, 1, 2, 0;
  Chart chart = chart_of(Vector::LinSpaced(5, 0, 4), y);
  chart.scale = Scale::logarithmic;
  const std::string data = line_data(chart_svg(chart));
  EXPECT_EQ(count(data, "M"), 1u) << data;
  EXPECT_EQ(count(data, "L"), 3u) << data;  // up from the edge at t = 1, along, down at t = 4
}

TEST(Chart, LinesKeepTheirExtremesInAThousandPoints) {
  const Eigen::Index n = 100'000;
  const Vector x = Vector::LinSpaced(n, 0, 1);
  Vector y = (2000 * x).array().sin();
  y[43'210] = 50;
  y[87'654] = -60;
  const auto kept = decimated(x, y);
  EXPECT_LE(kept.size(), static_cast<size_t>(most_points));
  EXPECT_GT(kept.size(), static_cast<size_t>(most_points) / 2);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  for (const Eigen::Index i : {Eigen::Index{0}, Eigen::Index{43'210}, Eigen::Index{87'654}, n - 1})
    EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), i)) << i;
  const std::string data = line_data(chart_svg(chart_of(x, y)));
  EXPECT_LE(count(data, "L"), static_cast<size_t>(most_points));

  // A closed curve has extremes in x too.
  const Vector phase = Vector::LinSpaced(n, 1, 1 + 2 * M_PI);  // inside of a bucket
  const Vector across = phase.array().cos();
  const auto circle = decimated(across, Vector(phase.array().sin()));
  Eigen::Index leftmost = 0;
  across.minCoeff(&leftmost);
  EXPECT_LE(circle.size(), static_cast<size_t>(most_points));
  EXPECT_TRUE(std::binary_search(circle.begin(), circle.end(), leftmost));
}

TEST(Chart, TicksAreRoundAndInside) {
  EXPECT_EQ(nice_ticks(0, 0.3, 6), (std::vector<double>{0, 0.05, 0.1, 0.15000000000000002, 0.2,
                                                        0.25, 0.30000000000000004}));
  EXPECT_EQ(nice_ticks(-120, 150, 5), (std::vector<double>{-100, -50, 0, 50, 100, 150}));
  EXPECT_EQ(nice_ticks(0, 5, 5), (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(nice_ticks(0.5, 9, 5), (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(nice_ticks(3, 3, 5), (std::vector<double>{3}));
  for (const double size : {1e-90, 1e-5, 1.0, 12345.0, 1e90})
    for (const int wanted : {2, 5, 8}) {
      const auto ticks = nice_ticks(-0.37 * size, 0.91 * size, wanted);
      EXPECT_GE(ticks.size(), 2u);
      EXPECT_LE(ticks.size(), 2u * static_cast<size_t>(wanted) + 1);
      EXPECT_GE(ticks.front(), -0.3700001 * size);
      EXPECT_LE(ticks.back(), 0.9100001 * size);
    }
  const std::string svg =
      chart_svg(chart_of(Vector::LinSpaced(3, 0, 0.3), Vector::LinSpaced(3, -2, 2)));
  EXPECT_TRUE(contains(svg, ">0.05</text>"));
  EXPECT_TRUE(contains(svg, ">0.10</text>"));
  EXPECT_TRUE(contains(svg, ">−2</text>"));
}

TEST(Chart, SeriesDifferInColourAndDash) {
  Chart chart = chart_of(Vector::LinSpaced(3, 0, 1), Vector::LinSpaced(3, 0, 1));
  for (int i = 1; i < 14; ++i) chart.series.push_back(chart.series[0]);
  const std::string svg = chart_svg(chart);
  std::vector<std::string> classes;
  const std::regex line("<path class=\"(line[^\"]*)\" d=\"[^\"]*L");
  for (std::sregex_iterator i(svg.begin(), svg.end(), line), end; i != end; ++i)
    classes.push_back((*i)[1]);
  ASSERT_EQ(classes.size(), 14u);
  std::sort(classes.begin(), classes.end());
  EXPECT_EQ(std::unique(classes.begin(), classes.end()), classes.end());
}

TEST(Charts, PeaksAreMarkedWhereTheyAre) {
  const Chart chart = torque_charts(round_numbers()).at(0);
  ASSERT_EQ(chart.marks.size(), 2u);
  EXPECT_DOUBLE_EQ(chart.marks[0].y, 136.2054);  // kN m
  EXPECT_DOUBLE_EQ(chart.marks[1].y, -84.542);
  EXPECT_DOUBLE_EQ(chart.marks[1].x, round_numbers().solution.t[7]);
  EXPECT_EQ(chart.y_label, "u (kN m)");
  EXPECT_EQ(chart.series[0].name, "upper, peak 136.2 kN m at 0.0015 s");
}

TEST(Charts, TheToolPathIsSeenInItsPlane) {
  const auto chart = tool_path_chart(e12());
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->x_label, "tool.x (m)");
  EXPECT_EQ(chart->y_label, "tool.z (m)");
  const Series& simulated = chart->series.back();
  EXPECT_NEAR(simulated.x[0], 2.146, 1e-3);  // the path's ends, at the tolerance of the proof
  EXPECT_NEAR(simulated.y[simulated.y.size() - 1], 1.645, 1e-3);
  EXPECT_FALSE(tool_path_chart(run(read_job(example("flexible_joint")))));
}

// Path and robot are drawn in the frame in which the path is meant: the figure ends at the tool.
TEST(Charts, TheRobotStandsOnItsPath) {
  Job job = read_job(
      example("rigid_2r"),
      {"task.frame=bench", "task.path={line: {from: [0.1, 0.2], to: [-0.6, 0.1]}, duration: 1}"});
  job.robot.frames.push_back(
      {"bench", "world", {rotation_from_rpy({0, 0.3, 0}), Vector3(0.4, 0, 0.1)}, ""});
  job.plant = job.robot;
  const auto chart = tool_path_chart(run(job, Until::solved));
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->series.size(), 5u);  // start, middle, end; wanted, computed
  const Series& figure = chart->series[0];
  const Eigen::Index tool = figure.x.size() - 2;  // a gap follows it
  EXPECT_NEAR(figure.x[tool], 0.1, 1e-9);         // of the exact method
  EXPECT_NEAR(figure.y[tool], 0.2, 1e-9);
}

}  // namespace
}  // namespace tauflex
