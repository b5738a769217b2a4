// Backward differentiation with a fixed step: derivatives at t_i from the last k + 1 values.
//   x'(t_i) = (1/h) sum_l a_l x(t_i - l h)      [Moberg2009, eq. (35)]
// The motion starts at rest, so the values before the first time equal the first one.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tauflex/base/progress.hpp"
#include "tauflex/equations/dae.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/problem/inverse_problem.hpp"
#include "tauflex/problem/solution.hpp"
#include "tauflex/solvers/method.hpp"

namespace tauflex {

// a_0 .. a_k for order k = 1..6, and the extrapolation b_1 .. b_(k+1) that predicts x(t_i) as
// sum_l b_l x(t_i - l h), exact for polynomials of degree k.
struct BdfFormula {
  explicit BdfFormula(int order);
  int order;
  std::array<double, 8> a = {};
  std::array<double, 8> b = {};
};

// A grid of `steps` equal steps, not longer than `step`, over the time window.
struct TimeGrid {
  double begin, step;
  int steps;
  double time(int i) const { return begin + i * step; }
};
TimeGrid time_grid(const InverseProblem& problem, double step);

// Where Newton's iteration gave up.
struct StepFailure {
  int step;
  std::string equation;
  double residual;
  std::string reason = {};  // a sentence, when it is known better than by a look at the path
};

// Block by block: joints by Newton, rotors by one linear solve, torques explicitly; theory (P.2).
std::optional<StepFailure> solve_blockwise(const InverseProblem& problem, const BdfOptions& options,
                                           const TimeGrid& grid, const Progress& progress,
                                           Solution& solution);

// All positions and velocities at once, on the Dae of the problem or a form of lower index.
std::optional<StepFailure> solve_monolithic(const InverseProblem& problem, const RestState& start,
                                            const BdfOptions& options, const TimeGrid& grid,
                                            const Progress& progress, Solution& solution);

}  // namespace tauflex
