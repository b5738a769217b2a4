#include "tauflex/solvers/step_stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/problem/internal_series.hpp"
#include "tauflex/solvers/bdf_formula.hpp"
#include "tauflex/solvers/steps.hpp"

namespace tauflex {

// (a_0 - h s) z^k + a_1 z^(k-1) + .. + a_k = 0 by its companion matrix, in real and imaginary
// parts: every root comes with its conjugate.
double largest_root(int order, std::complex<double> hs) {
  const BdfFormula formula(order);
  const std::complex<double> lead = formula.a[0] - hs;
  if (std::abs(lead) < 1e-12) return std::numeric_limits<double>::infinity();
  Matrix companion = Matrix::Zero(2 * order, 2 * order);
  for (int l = 1; l <= order; ++l) {
    const std::complex<double> c = -formula.a[l] / lead;
    companion(0, l - 1) = companion(order, order + l - 1) = c.real();
    companion(order, l - 1) = c.imag();
    companion(0, order + l - 1) = -c.imag();
  }
  for (int l = 1; l < order; ++l) companion(l, l - 1) = companion(order + l, order + l - 1) = 1;
  return eigenvalues(companion).cwiseAbs().maxCoeff();
}

namespace {

// Of the zeros at one pose: the largest rate, 1/s, by which the formula's motion outgrows its own.
double largest_excess(const PhaseAtPoint& point, int order, double step,
                      std::complex<double>& zero) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const std::complex<double>& s : point.zeros) {
    if (s.imag() < 0) continue;  // its conjugate has the same root
    const double excess = std::log(largest_root(order, step * s)) / step - std::max(0.0, s.real());
    if (excess <= largest) continue;
    largest = excess;
    zero = s;
  }
  return largest;
}

}  // namespace

FormulaGrowth formula_growth(const InverseProblem& problem, const Diagnosis& diagnosis, int order,
                             double step) {
  FormulaGrowth growth;
  const auto& points = diagnosis.phase;
  double so_far = 0, worst_rate = 0;  // growth up to here from where it was least
  for (size_t i = 0; i < points.size(); ++i) {
    // each pose stands for the time up to halfway to its neighbours
    const double from = i == 0 ? problem.begin() : (points[i - 1].t + points[i].t) / 2,
                 to = i + 1 == points.size() ? problem.end() : (points[i].t + points[i + 1].t) / 2;
    std::complex<double> zero = 0;
    const double rate = largest_excess(points[i], order, step, zero);
    so_far = std::max(0.0, so_far + rate * (to - from));
    growth.exponent = std::max(growth.exponent, so_far);
    if (rate > worst_rate) {
      worst_rate = rate;
      growth.zero = zero;
    }
  }
  return growth;
}

bool is_unstable(const FormulaGrowth& growth) { return growth.exponent > std::log(1e4); }

namespace {

// Order and step of a method that takes differences; nothing for others.
struct DifferenceFormula {
  int order;
  double step;
};
std::optional<DifferenceFormula> difference_formula(const Method& method) {
  if (const auto* bdf = std::get_if<BdfOptions>(&method)) return {{bdf->order, bdf->step}};
  if (const auto* array = std::get_if<ArrayOptions>(&method)) return {{array->order, array->step}};
  return std::nullopt;
}

double two_digits_below(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  return unit * std::floor(x / unit);
}

// "take a step of at most 0.0012 s, or order 2"
std::string what_would_do(const InverseProblem& problem, const Diagnosis& diagnosis,
                          const DifferenceFormula& given) {
  std::string advice;
  double step = given.step;
  const double least = 1e-4 * given.step;  // below, rounding in the differences is worse
  do step /= std::sqrt(2.0);
  while (step > least && is_unstable(formula_growth(problem, diagnosis, given.order, step)));
  if (step > least) advice = fmt::format("take a step of at most {:.2g} s", two_digits_below(step));
  for (int order = given.order - 1; order >= 1; --order)
    if (!is_unstable(formula_growth(problem, diagnosis, order, given.step)))
      return fmt::format("{}order {}", advice.empty() ? "take " : advice + ", or ", order);
  return advice.empty() ? "take another method" : advice;
}

}  // namespace

std::optional<std::string> unstable_formula(const InverseProblem& problem, const RestState& start,
                                            const Diagnosis& diagnosis, const Method& method) {
  const auto given = difference_formula(method);
  if (!given || diagnosis.flat) return std::nullopt;
  const TimeGrid grid = time_grid(problem, given->step);
  const FormulaGrowth growth = formula_growth(problem, diagnosis, given->order, grid.step());
  if (!is_unstable(growth)) return std::nullopt;
  const double hertz = std::abs(growth.zero.imag()) / (2 * std::numbers::pi);
  return fmt::format(
      "backward differences of order {} are unstable with a step of {:.4g} s: over {} steps they "
      "multiply every error in the internal motion at {:.4g} Hz (zeros at {:.4g} +/- {:.4g}j per "
      "second) by a factor of 1e{:.0f}; {}{}",
      given->order, grid.step(), grid.steps, hertz, growth.zero.real(),
      std::abs(growth.zero.imag()), growth.exponent / std::log(10.0),
      what_would_do(problem, diagnosis, *given),
      jets_apply(problem, start.q) ? ", or method: jets" : "");
}

}  // namespace tauflex
