// Your own equations: a planar pendulum in x, y with the force lambda along its rod, and its
// indices. docs/own_equations.md explains it.
#include <cstdio>
#include <string>
#include <vector>

#include "tauflex/analysis/index.hpp"
#include "tauflex/analysis/index_reduction.hpp"
#include "tauflex/equations/make_dae.hpp"

using namespace tauflex;

namespace {

// A mass of 1 kg on a rod of length 1 m:  x^2 + y^2 = 1.
struct Pendulum {
  template <class Time, class In, class Out>
  void operator()(const Time&, const In& x, const In& xdot, Out& r) const {
    const auto &px = x[0], &py = x[1], &vx = x[2], &vy = x[3], &lambda = x[4];
    r[0] = xdot[0] - vx;
    r[1] = xdot[1] - vy;
    r[2] = xdot[2] + lambda * px;
    r[3] = xdot[3] + lambda * py + 9.81;
    r[4] = px * px + py * py - 1.0;
  }
};

void print(const char* what, const Dae& dae, const std::vector<int>& variables) {
  std::printf("%s", what);
  for (const int j : variables) std::printf(" %s", dae.variable_name(j).c_str());
  std::printf("\n");
}

}  // namespace

int main() {
  const auto dae = make_dae({"x", "y", "vx", "vy", "lambda"}, Pendulum{},
                            {"rate of x", "rate of y", "motion of x", "motion of y", "rod"});
  // A point where the equations hold: released from rest, lambda = vx^2 + vy^2 - 9.81 y.
  Vector x(5), xdot(5);
  x << 0.6, -0.8, 0, 0, 0.8 * 9.81;
  xdot << 0, 0, -x[4] * x[0], -x[4] * x[1] - 9.81, 0;
  Matrix X(5, 2);
  X << x, xdot;

  DerivativeArray array(*dae);
  const IndexAnalysis ranks = analyze_index(array, 0.0, X);
  if (!ranks.found) {
    std::printf("no order of the derivative array has the ranks of Hypothesis 1\n");
    return 1;
  }
  std::printf("differential index %d, strangeness index %d, a %d, d %d\n", ranks.differential_index,
              ranks.strangeness_index, ranks.algebraic_count, ranks.differential_count);
  print("algebraic:", *dae, ranks.algebraic);
  print("differential:", *dae, ranks.differential);

  const Structure structure = structure_of(*dae, 0.0, x, xdot).structure;
  std::printf("structural index %d\n", structure.index);
  for (int i = 0; i < dae->size(); ++i)
    std::printf("  %-12s differentiated %d times\n", dae->equation_name(i).c_str(),
                structure.equation_offsets[static_cast<size_t>(i)]);
}
