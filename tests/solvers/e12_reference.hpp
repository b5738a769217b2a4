// Torques of E12 against the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "example_jobs.hpp"

namespace tauflex {

// The largest difference between torques of E12, one row per drive and one column per sample, and
// the reference from a time on. Infinite unless they share at least fifty times: the reference has
// samples of 1 ms over 0.3 s, and the coarsest grid of a test is 4 ms.
inline double distance_from_e12_reference(const Matrix& u, double step, double from = 0) {
  static const Table reference = published("e12_torque.csv");
  double worst = 0;
  int compared = 0;
  for (Eigen::Index row = 0; row < reference.values.rows(); ++row) {
    const double t = reference.values(row, 0);
    const auto i = static_cast<Eigen::Index>(std::lround(t / step));
    if (t < from - 1e-9 || std::abs(static_cast<double>(i) * step - t) > 1e-9 || i >= u.cols())
      continue;
    ++compared;
    for (Eigen::Index d = 0; d < 2; ++d)
      worst = std::max(worst, std::abs(u(d, i) - reference.values(row, 1 + d)));
  }
  return compared >= 50 ? worst : std::numeric_limits<double>::infinity();
}

}  // namespace tauflex
