#include "tauflex/solvers/radau.hpp"

#include <cmath>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

double legendre(int degree, double x) {
  double before = 1, now = x;
  if (degree == 0) return before;
  for (int k = 2; k <= degree; ++k) {
    const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return now;
}

}  // namespace

RadauMethod::RadauMethod(int stages) : c(stages), A(stages, stages) {
  // P_s - P_(s-1) vanishes at the nodes, the last of them 1; the others by bisection.
  const auto nodes = [&](double x) { return legendre(stages, x) - legendre(stages - 1, x); };
  int found = 0;
  constexpr int cells = 1000;
  for (int i = 0; i < cells && found < stages - 1; ++i) {
    double low = -1 + 2.0 * i / cells, high = -1 + 2.0 * (i + 1) / cells;
    if (i + 1 == cells || nodes(low) * nodes(high) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = (low + high) / 2;
      (nodes(low) * nodes(middle) <= 0 ? high : low) = middle;
    }
    c[found++] = ((low + high) / 2 + 1) / 2;
  }
  c[stages - 1] = 1;
  // A integrates polynomials of degree s - 1 exactly up to every node.
  Matrix powers(stages, stages), integrals(stages, stages);
  for (int k = 0; k < stages; ++k)
    for (int i = 0; i < stages; ++i) {
      powers(k, i) = std::pow(c[i], k);
      integrals(k, i) = std::pow(c[i], k + 1) / (k + 1);
    }
  A = solve_linear(powers, integrals).transpose();
}

}  // namespace tauflex
