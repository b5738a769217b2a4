#include <fmt/format.h>

#include "tauflex/base/version.hpp"
#include "tauflex/report/facts.hpp"
#include "tauflex/report/html_report.hpp"
#include "tauflex/report/meaning.hpp"
#include "tauflex/report/picture.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr const char* plain_css =
    R"(body{margin:0 auto;max-width:1000px;padding:24px 16px;background:#fff;color:#1f2328;font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.05rem}h2{font-size:1.05rem;margin:24px 0 8px}h3{font-size:.95rem;margin:12px 0 4px}
.headline{font-size:1.7rem;font-weight:650;margin:0}.word{padding:3px 12px;border-radius:99px;font-size:.95rem;color:#fff;background:#59636e}
.proved .word{background:#1a7f4b}.missed .word,.failed .word{background:#b42318}.not_verified .word,.partial .word,.exceeded .limits,.warning{background:#8a5a00}
.warning{background:none;color:#8a5a00}.chart{display:block;width:100%;height:auto}p,td,th{overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;font-size:.92rem}th,td{padding:4px 12px 4px 0;border-top:1px solid #e6e9ed;text-align:left;vertical-align:top;font-weight:400}
th{width:42%;color:#59636e}footer{margin-top:24px;color:#59636e;font-size:.85rem}
)";

std::string verdict_card(const Record& record) {
  const Verdict v = verdict(record);
  const std::string limits = limits_verdict(record);
  // a proved run that exceeds its limits is not green
  const bool exceeded = limit_state(record.limits) == LimitState::exceeded;
  std::string html = fmt::format(
      "<div class=\"verdict {}{}\">\n<p class=\"headline\">{} <span "
      "class=\"word\">{}</span>{}</p>\n<p>{}</p>\n",
      outcome_name(v.outcome), exceeded ? " exceeded" : "", escape(v.headline), escape(v.word),
      limits.empty() ? "" : fmt::format(" <span class=\"word limits\">{}</span>", escape(limits)),
      escape(v.sentence));
  for (const std::string& warning : record.warnings)
    html += fmt::format("<p class=\"warning\">Warning: {}.</p>\n", escape(warning));
  for (const auto* notes : {&record.job.robot.notes, &record.job.task.notes})
    for (const std::string& note : *notes)
      html += fmt::format("<p class=\"note\">Note: {}.</p>\n", escape(note));
  return html + "</div>\n";
}

// The picture of --picture; inside a page SVG needs no name space.
std::string picture(const Record& record) {
  if (!record.has_motion()) return "";
  std::string svg = picture_svg(record);
  const std::string space = " xmlns=\"http://www.w3.org/2000/svg\"";
  return svg.erase(svg.find(space), space.size());
}

std::string meaning_card(const Record& record) {
  std::string html = "<div>\n<h2>What this means</h2>\n";
  for (const std::string& paragraph : meaning(record))
    html += fmt::format("<p>{}</p>\n", escape(paragraph));
  return html + "</div>\n";
}

std::string facts_card(const Record& record) {
  std::string html = "<div>\n<h2>Facts</h2>\n<div>\n";
  for (const FactGroup& group : facts(record)) {
    html += fmt::format("<section>\n<h3>{}</h3>\n<table>\n", escape(group.title));
    for (const Fact& fact : group.facts)
      html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(fact.name),
                          escape(fact.value));
    html += "</table>\n</section>\n";
  }
  return html + "</div>\n</div>\n";
}

}  // namespace

std::string plain_report(const Record& record) {
  const std::string name = escape(record.job.name);
  // The policy forbids scripts and requests, so that not even a hole in escape() would matter.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
      "style-src &#39;unsafe-inline&#39;\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}: {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      name, escape(verdict(record).headline), plain_css, name);
  html += verdict_card(record) + picture(record) + meaning_card(record) + facts_card(record);
  html += fmt::format(
      "<footer>tauflex {}. SI units, angles in radians. This is the plain page: npm was not there "
      "when tauflex was built, and the page with the robot in 3-D needs it.</footer>\n",
      escape(version()));
  return html + "</body>\n</html>\n";
}

}  // namespace tauflex
