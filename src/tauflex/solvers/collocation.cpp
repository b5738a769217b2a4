#include "tauflex/solvers/collocation.hpp"

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

// Zeros of a function inside (-1, 1), as places on [0, 1]; by bisection.
template <class F>
void find_nodes(const F& f, int count, Vector& c) {
  int found = 0;
  constexpr int cells = 1000;
  for (int i = 0; i < cells && found < count; ++i) {
    double low = -1 + 2.0 * i / cells, high = -1 + 2.0 * (i + 1) / cells;
    if (f(low) == 0) {  // a zero on the grid, in the middle
      c[found++] = (low + 1) / 2;
      continue;
    }
    if (f(high) == 0 || f(low) * f(high) > 0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = (low + high) / 2;
      (f(low) * f(middle) <= 0 ? high : low) = middle;
    }
    c[found++] = ((low + high) / 2 + 1) / 2;
  }
}

// A and b integrate polynomials of degree s - 1 exactly, up to every node and up to 1.
Collocation with_nodes(Vector c) {
  const auto stages = c.size();
  Matrix powers(stages, stages), integrals(stages, stages + 1);
  for (Eigen::Index k = 0; k < stages; ++k) {
    for (Eigen::Index i = 0; i < stages; ++i) {
      powers(k, i) = std::pow(c[i], static_cast<double>(k));
      integrals(k, i) = std::pow(c[i], static_cast<double>(k + 1)) / static_cast<double>(k + 1);
    }
    integrals(k, stages) = 1 / static_cast<double>(k + 1);
  }
  const Matrix weights = solve_linear(powers, integrals);
  return {std::move(c), weights.col(stages), weights.leftCols(stages).transpose()};
}

}  // namespace

Collocation radau(int stages) {
  Vector c(stages);
  find_nodes([&](double x) { return legendre(stages, x) - legendre(stages - 1, x); }, stages - 1,
             c);
  c[stages - 1] = 1;
  return with_nodes(std::move(c));
}

Collocation gauss(int stages) {
  Vector c(stages);
  find_nodes([&](double x) { return legendre(stages, x); }, stages, c);
  return with_nodes(std::move(c));
}

const Collocation& radau5() {
  static const Collocation method = radau(radau_stages);
  return method;
}

const Collocation& gauss4() {
  static const Collocation method = gauss(gauss_stages);
  return method;
}

}  // namespace tauflex
