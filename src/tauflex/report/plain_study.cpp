#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/report/chart_style.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/study_page.hpp"
#include "tauflex/report/svg_chart.hpp"
#include "tauflex/results/record_numbers.hpp"

namespace tauflex {

namespace {

constexpr const char* study_css =
    R"(body{margin:0 auto;max-width:1000px;padding:24px 16px;background:#fff;color:#1f2328;font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.05rem}h2{font-size:1.05rem;margin:28px 0 8px;overflow-wrap:anywhere}.headline{font-size:1.7rem;font-weight:650;margin:0}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:12px}.chart{display:block;width:100%;height:auto}
table{width:100%;border-collapse:collapse;font-size:.92rem}th,td{padding:4px 12px 4px 0;border-top:1px solid #e6e9ed;text-align:left;vertical-align:top;font-weight:400;overflow-wrap:anywhere}
th{color:#59636e}.bar{height:14px;background:#2a6fb0}.alone{height:6px;background:#8fb8dd}.bars{width:45%}footer{margin-top:24px;color:#59636e;font-size:.85rem}
)";

// The length of a bar.
double share_of_variance(const Influence& influence) {
  return std::clamp(importance(influence), 0.0, 1.0);
}

// Indices of parameters that are numbers, the most important first.
std::vector<size_t> by_importance(const KeptSummary& kept) {
  std::vector<size_t> order;
  for (size_t i = 0; i < kept.influences.size(); ++i)
    if (kept.influences[i].rank_correlation || kept.influences[i].sobol) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return share_of_variance(kept.influences[a]) > share_of_variance(kept.influences[b]);
  });
  return order;
}

// How many runs lie in each of some equal intervals, as a line of steps.
Chart histogram(const KeptSummary& kept, const std::vector<std::optional<double>>& numbers) {
  constexpr int bins = 30;
  const double least = kept.moments.least(), width = (kept.moments.most() - least) / bins;
  Vector counts = Vector::Zero(bins);
  for (const auto& number : numbers)
    if (number && width > 0)
      counts[std::clamp(static_cast<int>((*number - least) / width), 0, bins - 1)] += 1;
  Series steps{.name = "", .x = Vector(2 * bins + 2), .y = Vector::Zero(2 * bins + 2)};
  for (int i = 0; i <= bins; ++i) {
    steps.x[2 * i] = steps.x[2 * i + 1] = least + i * width;
    if (i < bins) steps.y[2 * i + 1] = steps.y[2 * i + 2] = counts[i];
  }
  return {.title = "Distribution", .x_label = kept.key, .y_label = "runs", .series = {steps}};
}

Chart scatter(const StudySample& sample, const StudyColumns& columns, size_t parameter,
              size_t kept) {
  constexpr size_t most_marks = 500;
  Chart chart{.title = "Runs",
              .x_label = columns.parameters[parameter],
              .y_label = columns.kept[kept],
              .series = {}};
  const size_t count = sample.runs.size(), step = std::max<size_t>(1, count / most_marks);
  std::vector<double> x, y;
  for (size_t i = 0; i < count; i += step) {
    if (!sample.parameters[parameter][i] || !sample.kept[kept][i]) continue;
    x.push_back(*sample.parameters[parameter][i]);
    y.push_back(*sample.kept[kept][i]);
    chart.marks.push_back({x.back(), y.back(), 0, fmt::format("run {}", sample.runs[i])});
  }
  if (x.empty()) return chart;
  // Axes are those of series: two corners with a gap between them, which draws nothing.
  const auto corners = [](const std::vector<double>& values) -> Vector {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return Vector{{*low, std::numeric_limits<double>::quiet_NaN(), *high}};
  };
  chart.series.push_back({.name = "", .x = corners(x), .y = corners(y), .weight = Weight::thin});
  return chart;
}

std::string tornado(const KeptSummary& kept) {
  const std::vector<size_t> order = by_importance(kept);
  if (order.empty()) return "";
  const bool sobol = kept.influences[order.front()].sobol.has_value();
  std::string html = fmt::format(
      "<table class=\"tornado\">\n<tr><th>what matters</th><th "
      "class=\"bars\">{}</th><th></th></tr>\n",
      sobol ? "share of the variance: with all that it does together with others, and alone (pale)"
            : "share of the variance, by this parameter alone");
  for (const size_t i : order) {
    const Influence& influence = kept.influences[i];
    html += fmt::format("<tr><td>{}</td><td><div class=\"bar\" style=\"width:{:.1f}%\"></div>",
                        escape(influence.parameter), 100 * share_of_variance(influence));
    if (influence.sobol)
      html += fmt::format("<div class=\"alone\" style=\"width:{:.1f}%\"></div>",
                          100 * std::clamp(influence.sobol->first, 0.0, 1.0));
    html += fmt::format("</td><td>{:.1f} %{}</td></tr>\n", 100 * share_of_variance(influence),
                        influence.rank_correlation
                            ? fmt::format(", rank correlation {:+.2f}", *influence.rank_correlation)
                            : "");
  }
  return html + "</table>\n";
}

std::string numbers_table(const KeptSummary& kept, const std::optional<double>& nominal,
                          const StudyColumns& columns) {
  std::string html = "<table>\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    html +=
        fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(value));
  };
  if (nominal) row("as the job has it", number(*nominal));
  row("mean, standard deviation",
      number(kept.moments.mean()) + ", " + number(kept.moments.deviation()));
  if (!kept.quantiles.empty())
    row("5 %, 50 %, 95 % of all runs are below", number(kept.quantiles[1]) + ", " +
                                                     number(kept.quantiles[3]) + ", " +
                                                     number(kept.quantiles[5]));
  row("smallest, largest", number(kept.moments.least()) + ", " + number(kept.moments.most()));
  std::vector<std::string> words;
  for (size_t i = 0; i < columns.parameters.size(); ++i)
    words.push_back(columns.parameters[i] + " " + kept.worst.parameters[i]);
  row(fmt::format("the {} is run {}", kept.worst_is_largest ? "largest" : "least", kept.worst.run),
      join(words));
  return html + "</table>\n";
}

std::string kept_section(const KeptSummary& kept, size_t index, const StudySample& sample,
                         const std::optional<double>& nominal, const StudyColumns& columns) {
  std::string html = fmt::format("<section>\n<h2>{}</h2>\n", escape(kept.key));
  if (kept.moments.count() == 0) return html + "<p>No run has this number.</p>\n</section>\n";
  html += "<div class=\"charts\">\n";
  if (kept.moments.most() > kept.moments.least()) {
    html += chart_svg(histogram(kept, sample.kept[index]));
    const std::vector<size_t> order = by_importance(kept);
    for (size_t i = 0; i < std::min<size_t>(order.size(), 3); ++i)
      html += chart_svg(scatter(sample, columns, order[i], index));
  }
  html += "</div>\n" + numbers_table(kept, nominal, columns) + tornado(kept);
  return html + "</section>\n";
}

}  // namespace

std::string plain_study_page(const Study& study, const VariedJob& job, const Sweep& sweep,
                             const std::filesystem::path& table) {
  const StudySummary& summary = *sweep.summary;
  const StudySample sample = read_sample(table, sweep.columns, summary.runs);
  const std::string headline = study_headline(summary);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
      "style-src &#39;unsafe-inline&#39;\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}: {1}</title>\n<style>\n{2}{3}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<p class=\"headline\">{1}</p>\n",
      escape(study.name), escape(headline), study_css, chart_css());
  for (const std::string& sentence : study_sentences(study, job, sweep))
    html += "<p>" + escape(sentence) + "</p>\n";
  const auto nominal = record_numbers(job.nominal(), sweep.columns.kept);
  for (size_t i = 0; i < summary.kept.size(); ++i)
    html += kept_section(summary.kept[i], i, sample, nominal[i], sweep.columns);
  if (study.worst > 0 && !sweep.worst.empty()) {
    html += "<h2>Worst runs</h2>\n<p>";
    for (const long run : sweep.worst)
      html += fmt::format("<a href=\"run_{0}/report.html\">run {0}</a> ", run);
    html += "</p>\n";
  }
  html += fmt::format(
      "<footer>tauflex {}. SI units, angles in radians. All runs are in table.csv.</footer>\n",
      escape(version()));
  return html + "</body>\n</html>\n";
}

}  // namespace tauflex
