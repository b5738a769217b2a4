// Reports: whatever a job is called and however a run ends, the page is well-formed, closed to the
// outside, small, the same every time, and leads with what was proved.
#include <gtest/gtest.h>

#include <fstream>
#include <locale>
#include <regex>
#include <sstream>

#include "example_records.hpp"
#include "page_text.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/picture.hpp"
#include "tauflex/report/summary.hpp"
#include "tauflex/report/verdict.hpp"
#include "tauflex/results/run.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

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
  const std::string link = "<script>alert('1')</script>&amp", frame = "</svg><img/src=x>";
  Record record = renamed(link, frame);
  record.job.name = "</title>\"<script>1</script>\x1b[31m";
  record.job.name += "\xC3(";  // broken UTF-8
  for (const std::string& html : {plain_report(record), picture_svg(record)}) {
    expect_well_formed(html);
    EXPECT_FALSE(contains(html, "<script"));
    EXPECT_FALSE(contains(html, "<img"));
    EXPECT_FALSE(contains(html, "\x1b"));
    EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp"));
    EXPECT_TRUE(contains(html, "&lt;/svg&gt;&lt;img/src=x&gt;.x"));
  }
  EXPECT_TRUE(contains(plain_report(record), "&lt;/title&gt;&quot;&lt;script&gt;"));
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

}  // namespace
}  // namespace tauflex
