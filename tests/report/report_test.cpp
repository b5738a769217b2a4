// Reports: whatever a job is called and however a run ends, the page is well-formed, closed to the
// outside, small, the same every time, and leads with what was proved.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <regex>
#include <sstream>

#include "tauflex/report/axis_ticks.hpp"
#include "tauflex/report/decimation.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/picture.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/record_charts.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/report/svg_chart.hpp"
#include "tauflex/report/tool_path_chart.hpp"
#include "tauflex/report/verdict.hpp"
#include "tauflex/results/run.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

// The first fault of a text as XML, or nothing: tags balance, attributes are quoted and unique,
// "<" and "&" stand for themselves only as markup. Knows no comments and no CDATA: a page has none.
std::string xml_fault(const std::string& text) {
  static const std::regex entity(R"(&(amp|lt|gt|quot|apos|#[0-9]+);)");
  static const std::regex tag(
      R"re(<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z][A-Za-z-]*="[^"<]*")*)\s*(/?)>)re");
  static const std::regex attribute(R"re(\s([A-Za-z-]+)=)re");
  std::vector<std::string> open;
  size_t i = 0;
  if (text.starts_with("<!DOCTYPE html>")) i = text.find('>') + 1;
  bool had_root = false;
  for (; i < text.size(); ++i) {
    std::smatch match;
    const auto here = text.begin() + static_cast<std::ptrdiff_t>(i);
    const auto near_here = text.substr(i, 60);
    if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n') return "control character";
    if (text[i] == '&') {
      if (!std::regex_search(here, text.end(), match, entity,
                             std::regex_constants::match_continuous))
        return "bare & at " + near_here;
    }
    if (text[i] != '<') {
      if (open.empty() && !std::isspace(static_cast<unsigned char>(text[i])))
        return "text outside the root at " + near_here;
      continue;
    }
    const size_t end = text.find('>', i);
    if (end == std::string::npos) return "open tag at " + near_here;
    const std::string whole = text.substr(i, end - i + 1);
    if (!std::regex_match(whole, match, tag)) return "broken tag " + near_here;
    const std::string name = match[2];
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != name) return "unexpected </" + name + ">";
      open.pop_back();
    } else {
      if (open.empty() && had_root) return "second root";
      had_root = true;
      std::vector<std::string> names;
      const std::string attributes = match[3];
      for (std::sregex_iterator a(attributes.begin(), attributes.end(), attribute), none; a != none;
           ++a) {
        if (std::count(names.begin(), names.end(), (*a)[1])) return "attribute twice in " + whole;
        names.push_back((*a)[1]);
      }
      if (match[4].length() == 0) open.push_back(name);
    }
    i = end;
  }
  if (!open.empty()) return "<" + open.back() + "> is never closed";
  return had_root ? "" : "no root";
}

std::string without_paths(std::string html) {  // long path data is slow for std::regex
  std::string short_text;
  for (size_t i = 0; i < html.size();) {
    const size_t begin = html.find(" d=\"", i);
    if (begin == std::string::npos) return short_text + html.substr(i);
    const size_t end = html.find('"', begin + 4);
    const std::string data = html.substr(begin + 4, end - begin - 4);
    // what a browser accepts as the data of our paths
    EXPECT_EQ(data.find_first_not_of("0123456789.,-MLHVh"), std::string::npos) << data;
    EXPECT_TRUE(data.starts_with("M")) << data;
    short_text += html.substr(i, begin - i) + " d=\"\"";
    i = end + 1;
  }
  return short_text;
}

void expect_well_formed(const std::string& html) { EXPECT_EQ(xml_fault(without_paths(html)), ""); }

size_t count(const std::string& text, const std::string& word) {
  size_t n = 0;
  for (size_t i = text.find(word); i != std::string::npos; i = text.find(word, i + word.size()))
    ++n;
  return n;
}

bool contains(const std::string& text, const std::string& word) { return count(text, word) > 0; }

std::string example(const std::string& name) {
  return std::string(TAUFLEX_SOURCE_DIR) + "/examples/" + name + ".yaml";
}

const Record& e12() {
  static const Record record = run(read_job(example("e12_bdf")));
  return record;
}

// E12 with numbers that one can check by eye.
Record round_numbers() {
  Record record = e12();
  Solution& s = record.solution;
  s.u.setConstant(-1);
  s.u(0, 3) = 136205.4;
  s.u(1, 7) = -84542;
  s.torque_errors = Vector::Constant(2, 160);
  s.method = "bdf blockwise";
  s.order = 3;
  s.step = 0.0005;
  s.steps = 600;
  s.solve_seconds = 0.0012;
  Verification& proof = *record.verification;
  proof.status = Status::solved;
  proof.max_tool_error_m = 1.23e-5;
  proof.rms_tool_error_m = 4.01e-6;
  proof.log_growth = std::log(2.2);
  return record;
}

Record not_converged() {
  Record record = e12();
  record.verification.reset();
  Solution& s = record.solution;
  s.status = Status::not_converged;
  s.message = "t = 0.42 s: Newton failed in equation 'servo tool.z' (off by 2); x < 1 & y > 2";
  s.steps = 200;
  s.t.conservativeResize(201);
  for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.y}) m->conservativeResize(Eigen::NoChange, 201);
  return record;
}

Record invert_only() {
  Record record = e12();
  record.verification.reset();
  return record;
}

Record missed() {
  Record record = round_numbers();
  record.verification->status = Status::missed;
  record.verification->max_tool_error_m = 3.2e-3;
  record.verification->rms_tool_error_m = 1.1e-3;
  return record;
}

// E12 written with other names, as a file would have them.
Record renamed(const std::string& link, const std::string& frame) {
  std::ifstream file(example("e12_bdf"));
  std::stringstream text;
  text << file.rdbuf();
  const auto quoted = [](const std::string& name) {
    std::string yaml = "\"";
    for (const char c : name)
      yaml += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    return yaml + "\"";
  };
  std::string job = std::regex_replace(text.str(), std::regex("\\bupper\\b"), quoted(link));
  job = std::regex_replace(job, std::regex("tool\\.x"), quoted(frame + ".x"));
  job = std::regex_replace(job, std::regex("tool\\.z"), quoted(frame + ".z"));
  job = std::regex_replace(job, std::regex("\\btool:"), quoted(frame) + ":");
  const TemporaryFolder folder;
  return run(read_job(folder.write("renamed.yaml", job)), Until::verified);
}

TEST(XmlFault, SeesWhatABrowserWouldForgive) {
  EXPECT_EQ(xml_fault("<p class=\"a\">1 &lt; 2<br/></p>"), "");
  EXPECT_NE(xml_fault("<p>a<b></p>"), "");
  EXPECT_NE(xml_fault("<p>a & b</p>"), "");
  EXPECT_NE(xml_fault("<p>a < b</p>"), "");
  EXPECT_NE(xml_fault("<p class=a></p>"), "");
  EXPECT_NE(xml_fault("<p a=\"1\" a=\"2\"></p>"), "");
  EXPECT_NE(xml_fault("<p></p><p></p>"), "");
  EXPECT_NE(xml_fault("<p>\x1b</p>"), "");
}

TEST(PlainReport, IsWellFormedHoweverTheRunEnded) {
  for (const Record& record : {e12(), missed(), not_converged(), invert_only()})
    expect_well_formed(plain_report(record));
}

TEST(PlainReport, LeadsWithTheVerifiedToolError) {
  const std::string html = plain_report(round_numbers());
  const size_t headline = html.find("Tool error 0.012 mm <span class=\"word\">proved</span>");
  ASSERT_NE(headline, std::string::npos);
  EXPECT_TRUE(contains(
      html, "Tolerance 1 mm: proved by an open-loop forward simulation with linear torque."));
  EXPECT_LT(headline, html.find("<svg"));
  EXPECT_LT(html.find("</svg>"), html.find("<table>"));
}

TEST(PlainReport, SaysWhyARunFailedBeforeAnythingElse) {
  const std::string html = plain_report(not_converged());
  EXPECT_TRUE(contains(html, "<span class=\"word\">not converged</span>"));
  const size_t sentence = html.find("t = 0.42 s: Newton failed in equation &#39;servo tool.z&#39;");
  ASSERT_NE(sentence, std::string::npos);
  EXPECT_LT(sentence, html.find("<svg"));
  EXPECT_FALSE(contains(html, "proved by"));
  EXPECT_FALSE(contains(html, "Tool error"));
}

TEST(PlainReport, ShowsAProofThatEndedEarlyAsAFailure) {
  Record record = e12();
  Verification& proof = *record.verification;
  proof.status = Status::not_converged;
  proof.message = "t = 0.1 s: the forward simulation failed (too many steps)";
  proof.t.conservativeResize(100);
  proof.tool_error.conservativeResize(100);
  for (Matrix* m : {&proof.q, &proof.v, &proof.u, &proof.y})
    m->conservativeResize(Eigen::NoChange, 100);
  const std::string html = plain_report(record);
  expect_well_formed(html);
  EXPECT_TRUE(contains(html, "t = 0.1 s: the forward simulation failed (too many steps)"));
  EXPECT_FALSE(contains(html, "proved by"));
  EXPECT_TRUE(text_summary(record).starts_with("e12_bdf: not converged: t = 0.1 s:"));
}

TEST(PlainReport, CarriesOnWithoutASingleStep) {
  Record record = not_converged();
  Solution& s = record.solution;
  for (const int columns : {1, 0}) {
    s.steps = 0;
    s.t.conservativeResize(columns);
    for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.y})
      m->conservativeResize(Eigen::NoChange, columns);
    expect_well_formed(plain_report(record));
    expect_well_formed(picture_svg(record));
    EXPECT_TRUE(text_summary(record).starts_with("e12_bdf: not converged: "));
  }
}

TEST(PlainReport, WarnsBeforeTheCharts) {
  Record record = e12();
  EXPECT_FALSE(contains(plain_report(record), "Warning"));
  record.warnings = {"joint 'a<b' leaves its range [0, 1] at t = 0.2 s", "another"};
  const std::string html = plain_report(record);
  expect_well_formed(html);
  EXPECT_EQ(count(html, "<p class=\"warning\">Warning: "), 2u);
  EXPECT_LT(html.find("joint &#39;a&lt;b&#39; leaves its range"), html.find("<svg"));
}

TEST(PlainReport, HasTheFacts) {
  const std::string html = plain_report(round_numbers());
  const auto row = [](const std::string& name, const std::string& value) {
    return "<th scope=\"row\">" + name + "</th><td>" + value + "</td>";
  };
  EXPECT_TRUE(contains(html, row("Links", "3: upper, fore, hand")));
  EXPECT_TRUE(contains(html, row("Drives", "2 (2 elastic): upper, fore")));
  EXPECT_TRUE(contains(html, row("Degrees of freedom", "5: 3 joints, 2 rotors")));
  EXPECT_TRUE(contains(html, row("Outputs", "tool.x, tool.z")));
  EXPECT_TRUE(contains(html, row("Method", "bdf blockwise")));
  EXPECT_TRUE(contains(html, row("Step", "0.5 ms")));
  EXPECT_TRUE(contains(html, row("Differentiation index", "4")));
  EXPECT_TRUE(contains(html, row("Minimum phase", "yes")));
  EXPECT_TRUE(
      contains(html, row("Peak of upper", "136205 N m at 0.0015 s, error at most 160 N m")));
  EXPECT_TRUE(contains(html, row("Torque hold", "torque linear between samples")));
  for (const char* name :
       {"Order", "Steps", "Newton iterations", "Largest constraint residual", "Required smoothness",
        "Zeros at the start", "Integrator", "Growth of errors, open loop", "Energy balance error"})
    EXPECT_TRUE(contains(html, "<th scope=\"row\">" + std::string(name) + "</th>")) << name;
}

TEST(PlainReport, HasThePicture) {
  const std::string html = plain_report(e12());
  EXPECT_EQ(count(html, "<svg"), 1u);
  for (const char* title : {"Motor torques", "Tool error over time", "Tool path"})
    EXPECT_EQ(count(html, std::string(title) + "</text>"), 1u) << title;
  EXPECT_TRUE(contains(html, "tolerance 1 mm"));
  EXPECT_TRUE(contains(html, "This is the plain page: npm was not there"));
}

TEST(PlainReport, AsksNobodyForAnything) {
  for (const std::string& html : {plain_report(e12()), plain_report(not_converged())}) {
    for (const char* word :
         {"http:", "https:", "src=", "href", "url(", "@import", "<script", "<link", "<img"})
      EXPECT_FALSE(contains(html, word)) << word;
    EXPECT_FALSE(std::regex_search(without_paths(html), std::regex("<[^>]* on[a-z]+=")));
  }
  EXPECT_EQ(count(picture_svg(e12()), "http"), 1u);  // the name of SVG itself
}

TEST(PlainReport, HostileNamesStayText) {
  const std::string link = "<script>alert('1')</script>\"&amp;", frame = "</svg><img/src=x>";
  Record record = renamed(link, frame);
  record.job.name = "</title><script>1</script>\x1b[31m";
  record.job.name += "\xC3(";  // broken UTF-8
  for (const std::string& html : {plain_report(record), picture_svg(record)}) {
    expect_well_formed(html);
    EXPECT_FALSE(contains(html, "<script"));
    EXPECT_FALSE(contains(html, "<img"));
    EXPECT_FALSE(contains(html, "\x1b"));
    EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;amp;"));
    EXPECT_TRUE(contains(html, "&lt;/svg&gt;&lt;img/src=x&gt;.x"));
  }
}

TEST(PlainReport, IsTheSameForTheSameJob) {
  Record one = run(read_job(example("e12_bdf"))), other = e12();
  EXPECT_EQ(plain_report(other), plain_report(other));
  one.solution.solve_seconds = other.solution.solve_seconds = 1;
  EXPECT_EQ(plain_report(one), plain_report(other));
  EXPECT_EQ(picture_svg(one), picture_svg(other));
}

TEST(PlainReport, StaysSmallForLongRuns) {
  Record record = e12();
  const Eigen::Index n = 100'001;
  Solution& s = record.solution;
  Verification& proof = *record.verification;
  s.t = proof.t = Vector::LinSpaced(n, 0, 0.3);
  for (Matrix* m : {&s.q, &s.v, &s.vdot, &s.u, &s.y, &proof.q, &proof.v, &proof.u, &proof.y})
    *m = Matrix::Random(m->rows(), n);  // noise: nothing to leave out by luck
  proof.tool_error = Vector::Random(n).cwiseAbs();
  EXPECT_LT(plain_report(record).size(), 1'000'000u);
  EXPECT_LT(picture_svg(record).size(), 100'000u);
}

TEST(PlainReport, NeedsNoLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string before = plain_report(e12());
  const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string after = plain_report(e12());
  std::locale::global(old);
  EXPECT_EQ(before, after);
}

TEST(Picture, IsOneSmallFile) {
  const std::string svg = picture_svg(e12());
  EXPECT_EQ(xml_fault(std::regex_replace(without_paths(svg), std::regex(" xmlns="), " x=")), "");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_TRUE(contains(svg, "e12_bdf: Tool error 0.012 mm, proved"));
}

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
