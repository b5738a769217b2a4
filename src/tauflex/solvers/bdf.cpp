#include "tauflex/solvers/bdf.hpp"

#include <cassert>
#include <cmath>

namespace tauflex {

namespace {

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

// From backward differences D: h x' = sum_{j=1}^k D^j x / j, and D^(k+1) x = 0 for the prediction.
BdfFormula::BdfFormula(int k) : order(k) {
  assert(k >= 1 && k <= 6);
  for (int j = 1; j <= k; ++j)
    for (int l = 0; l <= j; ++l) a[static_cast<size_t>(l)] += (l % 2 ? -1 : 1) * binomial(j, l) / j;
  for (int l = 1; l <= k + 1; ++l)
    b[static_cast<size_t>(l)] = (l % 2 ? 1 : -1) * binomial(k + 1, l);
}

TimeGrid time_grid(const InverseProblem& problem, double step) {
  const double window = problem.end() - problem.begin();
  const int steps = std::max(1, static_cast<int>(std::ceil(window / step - 1e-9)));
  return {problem.begin(), window / steps, steps};
}

}  // namespace tauflex
