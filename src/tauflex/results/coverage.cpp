#include "tauflex/results/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tauflex {

namespace {

constexpr double rounding_of_times = 1e-6;  // of the task's time: a table with seven digits

}  // namespace

Coverage coverage(const InverseProblem& problem, const Vector& t) {
  const double begin = problem.begin(), end = problem.end(), whole = end - begin;
  Coverage covered{std::max(begin, t[0]), std::min(end, t[t.size() - 1])};
  covered.share = std::max(0.0, covered.to - covered.from) / whole;
  if (covered.from - begin <= rounding_of_times * whole &&
      end - covered.to <= rounding_of_times * whole)
    covered.share = 1;
  return covered;
}

std::string coverage_text(const InverseProblem& problem, const Coverage& covered) {
  return fmt::format(
      "the torques are for t = {:.6g} .. {:.6g} s, {:.3g} % of the task's {:.6g} .. {:.6g} s",
      covered.from, covered.to, 100 * covered.share, problem.begin(), problem.end());
}

}  // namespace tauflex
