// Torques of E12 against the reference.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "example_jobs.hpp"

namespace tauflex {

// The largest difference between torques of E12, one row per drive and one column per sample, and
// the reference, which has to share at least a hundred times with them.
inline double distance_from_e12_reference(const Matrix& u, double step) {
  const Table reference = published("e12_torque.csv");
  double worst = 0;
  int compared = 0;
  for (Eigen::Index row = 0; row < reference.values.rows(); ++row) {
    const double t = reference.values(row, 0);
    const auto i = static_cast<Eigen::Index>(std::lround(t / step));
    if (std::abs(static_cast<double>(i) * step - t) > 1e-9 || i >= u.cols()) continue;
    ++compared;
    for (Eigen::Index d = 0; d < 2; ++d)
      worst = std::max(worst, std::abs(u(d, i) - reference.values(row, 1 + d)));
  }
  return compared >= 100 ? worst : std::numeric_limits<double>::infinity();
}

}  // namespace tauflex
