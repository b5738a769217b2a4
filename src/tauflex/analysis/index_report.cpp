#include "tauflex/analysis/index_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tauflex/analysis/index_reduction.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/equations/inverse_dae.hpp"

namespace tauflex {

double IndexReport::gap() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const IndexAtPoint& point : points) smallest = std::min(smallest, point.gap);
  return smallest;
}

namespace {

constexpr int largest_size = 500;  // unknowns: arrays of some thousand rows

// The cost of a point grows with the third power of the unknowns.
size_t points_to_look_at(int unknowns, size_t available) {
  return std::min(available, unknowns <= 24 ? available : unknowns <= 120 ? size_t{3} : size_t{1});
}

IndexAtPoint summary(double t, const IndexAnalysis& a) {
  return {t,    a.differential_index, a.strangeness_index, a.algebraic_count, a.differential_count,
          a.gap};
}

void describe_structure(Dae& dae, double t, const Vector& x, IndexReport& report) {
  const StructuredDae found = structure_of(dae, t, x, Vector::Zero(x.size()));
  const Structure& structure = found.structure;
  report.structurally_regular = structure.regular;
  report.structural_index = structure.index;
  const auto name = [](std::string text, int order) { return text + std::string(order, '\''); };
  for (const Block& block : structure.blocks) {
    NamedBlock named;
    for (const int i : block.equations)
      named.equations.push_back(name(dae.equation_name(i), structure.equation_offsets[i]));
    for (const int j : block.variables)
      named.variables.push_back(name(dae.variable_name(j), structure.variable_offsets[j]));
    report.blocks.push_back(std::move(named));
  }
  const int nu = report.points.front().differential_index;
  const char* judgement = report.points.front().gap < 1e3
                              ? "the ranks are not clear, so this is no proof that they are right"
                              : "the ranks are right";
  if (!structure.regular)
    report.disagreement = fmt::format(
        "by structure the equations cannot be solved at all, by ranks the index is {}", nu);
  else if (structure.index < nu)
    report.disagreement = fmt::format(
        "structure says index {}, ranks say {}: in the equations differentiated {} times the "
        "highest derivatives cancel, which a pattern of zeros cannot show; {}",
        structure.index, nu,
        *std::max_element(structure.equation_offsets.begin(), structure.equation_offsets.end()),
        judgement);
  else if (structure.index > nu)
    report.disagreement = fmt::format(
        "structure says index {}, ranks say {}: some equations need fewer differentiations than "
        "their pattern suggests; {}",
        structure.index, nu, judgement);
}

}  // namespace

IndexReport report_index(const InverseProblem& problem,
                         const std::vector<QuasiStaticPoint>& points) {
  IndexReport report;
  InverseDae dae(problem);
  report.threshold = IndexOptions{}.threshold;
  if (dae.rows() != dae.size()) {
    report.message =
        "more drives than outputs: the equations are not square before the least torque is chosen";
    return report;
  }
  if (dae.size() > largest_size) {
    report.message = fmt::format("{} unknowns, above {}: only the linearised problem was analysed",
                                 dae.size(), largest_size);
    return report;
  }
  DerivativeArray array(dae);
  const size_t count = points_to_look_at(dae.size(), points.size());
  for (size_t k = 0; k < count; ++k) {
    const QuasiStaticPoint& point = points[count > 1 ? k * (points.size() - 1) / (count - 1) : 0];
    if (point.state.status != Status::solved) break;
    const IndexAnalysis analysis = analyze_index(array, point.t, dae.at_rest(point.state));
    if (!analysis.found) {
      const std::string sentence = fmt::format(
          "t = {:.6g} s: no order of the derivative array up to {} has the ranks of Hypothesis 1; "
          "methods that do not use the array do not depend on this",
          point.t, IndexOptions{}.largest);
      (k == 0 ? report.message : report.changes.emplace_back()) = sentence;
      if (k == 0) return report;
      continue;
    }
    report.points.push_back(summary(point.t, analysis));
    const IndexAtPoint &first = report.points.front(), &here = report.points.back();
    if (k == 0) {
      for (const int j : analysis.algebraic) report.algebraic.push_back(dae.variable_name(j));
      for (const int j : analysis.differential) report.differential.push_back(dae.variable_name(j));
    } else if (here.strangeness_index != first.strangeness_index ||
               here.algebraic_count != first.algebraic_count ||
               here.differential_index != first.differential_index) {
      report.changes.push_back(
          fmt::format("t = {:.6g} s: index {} with {} algebraic variables, at the start {} with {}",
                      here.t, here.differential_index, here.algebraic_count,
                      first.differential_index, first.algebraic_count));
    }
  }
  report.available = !report.points.empty();
  if (report.available)
    describe_structure(dae, points.front().t, dae.at_rest(points.front().state), report);
  return report;
}

std::vector<IndexAtPoint> index_at(const InverseProblem& problem,
                                   const std::vector<SeriesPoint>& points) {
  InverseDae dae(problem);
  std::vector<IndexAtPoint> result;
  if (dae.rows() != dae.size() || dae.size() > largest_size) return result;
  DerivativeArray array(dae);
  for (const SeriesPoint& point : points)
    result.push_back(summary(point.t, analyze_index(array, point.t, point.X)));
  return result;
}

}  // namespace tauflex
