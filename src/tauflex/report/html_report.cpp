#include "tauflex/report/html_report.hpp"

#include <fmt/format.h>

#include "tauflex/base/version.hpp"
#include "tauflex/report/chart_style.hpp"
#include "tauflex/report/facts.hpp"
#include "tauflex/report/meaning.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/record_charts.hpp"
#include "tauflex/report/tool_path_chart.hpp"
#include "tauflex/report/verdict.hpp"

namespace tauflex {

namespace {

constexpr const char* page_css = R"(:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:#f4f5f7;color:#1f2328;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:1120px;margin:0 auto;padding:24px 16px 40px}
header{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:12px;color:#59636e}
header h1{margin:0;font-size:1.05rem;font-weight:600;color:#1f2328;overflow-wrap:anywhere}
h2{margin:0 0 8px;font-size:1.05rem;font-weight:600}
.card,figure{background:#fff;border:1px solid #dfe3e8;border-radius:10px}
.card{padding:20px 22px;margin-bottom:16px}
.verdict{border-left:6px solid #59636e}
.verdict .headline{display:flex;flex-wrap:wrap;align-items:center;gap:6px 16px;margin:0;font-size:1.9rem;line-height:1.2;font-weight:650;letter-spacing:-.01em}
.verdict p+p{margin:8px 0 0;overflow-wrap:anywhere}.warning{color:#8a5a00}
.word{padding:3px 12px;border-radius:99px;font-size:.95rem;font-weight:600;letter-spacing:0;color:#fff;background:#59636e}
.proved{border-left-color:#1a7f4b}.proved .word{background:#1a7f4b}
.missed,.failed{border-left-color:#b42318}.missed .word,.failed .word{background:#b42318}
.not_verified,.partial,.exceeded{border-left-color:#8a5a00}.not_verified .word,.partial .word,.exceeded .limits{background:#8a5a00}
.charts{display:grid;grid-template-columns:1fr 1fr;gap:16px;margin-bottom:16px}
figure{margin:0;padding:14px 16px 10px;min-width:0}
figcaption{font-weight:600;margin-bottom:6px}
.chart{display:block;width:100%;height:auto}
.charts .card{margin:0}.meaning:nth-child(odd){grid-column:1/-1}
.meaning p{margin:0 0 10px;max-width:75ch}.meaning p:last-child{margin:0}
.facts{columns:2;column-gap:40px}
section{break-inside:avoid;margin-bottom:18px}
section h3{margin:0 0 4px;font-size:.95rem;font-weight:600}
table{width:100%;border-collapse:collapse;font-size:.92rem}
th,td{padding:5px 0;border-top:1px solid #e6e9ed;text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
th{width:42%;padding-right:12px;color:#59636e}
td{font-variant-numeric:tabular-nums}
footer{color:#59636e;font-size:.85rem}
@media screen and (max-width:760px){main{padding:16px 10px 28px}.charts,.facts{display:block;columns:1}figure{margin-bottom:12px;padding:12px 10px 8px}.card{padding:16px}.verdict .headline{font-size:1.5rem}}
@media print{html{font-size:75%}body{background:#fff;font-size:1rem}main{max-width:none;padding:0}figure,.card{break-inside:avoid}.word{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)";

constexpr const char* dark_page_css = R"(body{background:#0e1013;color:#e6e8eb}
.card,figure{background:#171a1f;border-color:#2a2f36}
header,footer,th{color:#9aa4af}header h1{color:#e6e8eb}
th,td{border-top-color:#2a2f36}.warning{color:#e0a63a}
.proved{border-left-color:#2ea36a}.missed,.failed{border-left-color:#e5604d}.not_verified,.partial,.exceeded{border-left-color:#c98a1b}
)";

std::string style() {
  return fmt::format(
      "<style>\n{}{}@media screen and (prefers-color-scheme:dark){{\n{}{}}}\n</style>\n", page_css,
      chart_css(), dark_page_css, dark_chart_css());
}

const char* css_class(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved:
      return "proved";
    case Outcome::missed:
      return "missed";
    case Outcome::partial:
      return "partial";
    case Outcome::failed:
      return "failed";
    case Outcome::not_verified:
      return "not_verified";
  }
  return "failed";
}

std::string verdict_card(const Record& record) {
  const Verdict v = verdict(record);
  const std::string limits = limits_verdict(record);
  // a proved run that exceeds its limits is not green
  const bool exceeded = limit_state(record.limits) == LimitState::exceeded;
  std::string html = fmt::format(
      "<div class=\"card verdict {}{}\">\n<p class=\"headline\">{} <span "
      "class=\"word\">{}</span>{}</p>\n<p>{}</p>\n",
      css_class(v.outcome), exceeded ? " exceeded" : "", escape(v.headline), escape(v.word),
      limits.empty() ? "" : fmt::format(" <span class=\"word limits\">{}</span>", escape(limits)),
      escape(v.sentence));
  for (const std::string& warning : record.warnings)
    html += fmt::format("<p class=\"warning\">Warning: {}.</p>\n", escape(warning));
  for (const std::string& note : record.job.robot.notes)
    html += fmt::format("<p class=\"note\">Note: {}.</p>\n", escape(note));
  return html + "</div>\n";
}

// In pairs that belong side by side: torques and error, path and outputs.
std::vector<Chart> charts(const Record& record) {
  if (!record.has_motion()) return {};
  std::vector<Chart> all;
  const auto add = [&](const std::vector<Chart>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  const auto path = tool_path_chart(record);
  if (record.solution.t.size() < 2) return path ? std::vector{*path} : all;
  std::vector<Chart> outputs = output_charts(record);
  if (path && !outputs.empty()) outputs.front().plot_height = path->plot_height;
  add(torque_charts(record));
  if (const auto error = tool_error_chart(record))
    all.push_back(*error);
  else
    add(motion_charts(record));
  if (path) all.push_back(*path);
  add(outputs);
  add(force_charts(record));
  if (record.verification) add(motion_charts(record));
  return all;
}

std::string figures(const Record& record) {
  std::string html;
  for (const Chart& chart : charts(record))
    html += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escape(chart.title),
                        chart_svg(chart));
  return html;
}

std::string meaning_card(const Record& record) {
  std::string html = "<div class=\"card meaning\">\n<h2>What this means</h2>\n";
  for (const std::string& paragraph : meaning(record))
    html += fmt::format("<p>{}</p>\n", escape(paragraph));
  return html + "</div>\n";
}

std::string facts_card(const Record& record) {
  std::string html = "<div class=\"card\">\n<h2>Facts</h2>\n<div class=\"facts\">\n";
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

std::string html_report(const Record& record) {
  const Verdict v = verdict(record);
  const std::string name = escape(record.job.name);
  // The policy forbids scripts and requests, so that not even a hole in escape() would matter.
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
      "style-src "
      "&#39;unsafe-inline&#39;\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}: "
      "{}</title>\n{}</head>\n<body>\n<main>\n<header><h1>{}</h1><span>tauflex</span></header>\n",
      name, escape(v.headline), style(), name);
  html += verdict_card(record);
  html += "<div class=\"charts\">\n" + figures(record) + meaning_card(record) + "</div>\n";
  html += facts_card(record);
  html +=
      fmt::format("<footer>tauflex {}. SI units, angles in radians.</footer>\n", escape(version()));
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace tauflex
