// Which parameter matters: shares of the variance of a result.
//   S_i  = V(E(f | x_i)) / V(f)              first order: of x_i alone
//   ST_i = 1 - V(E(f | all but x_i)) / V(f)  total: with everything it does together with others
// From runs of a Saltelli design, A, B and A with column i of B:
//   S_i V = mean of f_B (f_ABi - f_A),   ST_i V = half the mean of (f_A - f_ABi)^2   [Saltelli2010]
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tauflex/studies/statistics.hpp"

namespace tauflex {

struct SobolIndex {
  double first = 0, total = 0;
  // 95 % of what a study of this size would find, by drawing its blocks anew (bootstrap).
  Interval first_interval, total_interval;
};

struct SobolIndices {
  std::vector<SobolIndex> of_parameter = {};
  // Blocks that counted: those with all their runs.
  long blocks = 0;
  double variance = 0;
};

// `f`: a result per run in the order of the design; blocks with a missing one are left out.
// Nothing with fewer than two blocks, or where nothing varies.
std::optional<SobolIndices> sobol_indices(const std::vector<std::optional<double>>& f,
                                          int parameters, std::uint64_t seed);

}  // namespace tauflex
