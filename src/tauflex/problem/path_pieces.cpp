#include "tauflex/problem/path_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace tauflex {

namespace {

// Of all paths; those that differ by rounding are one.
std::vector<double> piece_ends(const InverseProblem& problem) {
  const double begin = problem.begin(), end = problem.end();
  std::vector<double> all = problem.path().pieces(begin, end);
  for (const ConstraintRow& row : problem.robot().constraints()) {
    if (!row.path) continue;
    const std::vector<double> driven = row.path->pieces(begin, end), known = std::move(all);
    all.clear();
    std::merge(known.begin(), known.end(), driven.begin(), driven.end(), std::back_inserter(all));
  }
  const double apart = 1e-12 * (end - begin);
  all.erase(std::unique(all.begin(), all.end(), [=](double a, double b) { return b - a < apart; }),
            all.end());
  return all;
}

// Two neighbouring samples.
struct Step {
  double from, to;
  double length() const { return to - from; }
};

// The path at t as the samples at both ends of a step show it: the cubic through values and rates.
Vector shown(const OutputPath& path, const Step& step, double t) {
  Matrix start(path.size(), 2), end = start;
  path.derivatives(step.from, start);
  path.derivatives(step.to, end);
  const double x = (t - step.from) / step.length(), y = 1 - x;
  return y * y * (1 + 2 * x) * start.col(0) + x * x * (1 + 2 * y) * end.col(0) +
         step.length() * x * y * (y * start.col(1) - x * end.col(1));
}

// What of each output nobody sees: a thousandth of its range, of motions at most 1 mm or 1 mrad.
Vector unseen_sizes(const InverseProblem& problem) {
  constexpr double share = 1e-3, most = 1e-3;
  Vector lowest(problem.output_count()), highest = lowest, y = lowest;
  path_values<double>(problem.path(), problem.begin(), lowest);
  highest = lowest;
  for (const double t : path_times(problem)) {
    path_values<double>(problem.path(), t, y);
    lowest = lowest.cwiseMin(y);
    highest = highest.cwiseMax(y);
  }
  Vector sizes = share * (highest - lowest);
  for (const int output : problem.motion_outputs()) sizes[output] = std::min(sizes[output], most);
  return sizes;
}

// `around` is the step in which a time lies.
std::optional<SkippedPiece> skipped(const InverseProblem& problem,
                                    const std::function<std::optional<Step>(double)>& around) {
  std::optional<SkippedPiece> shortest;
  if (problem.output_count() == 0) return shortest;
  const std::vector<double> ends = piece_ends(problem);
  const Vector unseen = unseen_sizes(problem);
  Vector y(problem.output_count());
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    const double from = ends[i], length = ends[i + 1] - from;
    if (shortest && length >= shortest->to - shortest->from) continue;
    for (int k = 1; k < parts_per_piece; ++k) {
      const double t = from + length * k / parts_per_piece;
      const std::optional<Step> step = around(t);
      if (!step || length >= 2 * step->length()) continue;
      path_values<double>(problem.path(), t, y);
      const Vector distance = (y - shown(problem.path(), *step, t)).cwiseAbs();
      Eigen::Index output = 0;
      if (!((distance - unseen).maxCoeff(&output) > 0)) continue;
      if (shortest && shortest->from == from && distance[output] <= shortest->distance) continue;
      shortest = SkippedPiece{from, ends[i + 1], static_cast<int>(output), distance[output]};
    }
  }
  return shortest;
}

}  // namespace

std::vector<double> path_times(const InverseProblem& problem) {
  const std::vector<double> ends = piece_ends(problem);
  std::vector<double> times;
  times.reserve(parts_per_piece * ends.size());
  for (size_t i = 0; i + 1 < ends.size(); ++i)
    for (int k = 0; k < parts_per_piece; ++k)
      times.push_back(ends[i] + (ends[i + 1] - ends[i]) * k / parts_per_piece);
  times.push_back(ends.back());
  return times;
}

std::optional<SkippedPiece> skipped_piece(const InverseProblem& problem, const Vector& t) {
  return skipped(problem, [&](double time) -> std::optional<Step> {
    const auto after = std::upper_bound(t.begin(), t.end(), time);
    if (after == t.begin() || after == t.end()) return std::nullopt;
    return Step{*(after - 1), *after};
  });
}

std::optional<SkippedPiece> skipped_piece(const InverseProblem& problem, double step) {
  return skipped(problem, [&](double time) -> std::optional<Step> {
    const double from = problem.begin() + step * std::floor((time - problem.begin()) / step);
    return Step{from, std::min(from + step, problem.end())};
  });
}

std::string skipped_text(const InverseProblem& problem, const SkippedPiece& skipped) {
  const Output& output = problem.outputs().rows[skipped.output];
  return fmt::format(
      "the samples are too far apart for the path: between t = {:.6g} and {:.6g} s they miss a "
      "motion of '{}' of {:.3g} {}; take a step of at most {:.2g} s",
      skipped.from, skipped.to, output.name, skipped.distance, unit_of(output.quantity),
      skipped.step());
}

}  // namespace tauflex
