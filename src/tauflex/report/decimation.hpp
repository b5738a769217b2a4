// Lines with fewer points that look the same.
#pragma once

#include <cmath>
#include <vector>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

constexpr int most_points = 1000;

// Finite, and of a size that a chart can show.
inline bool is_drawable(double value) { return std::abs(value) < 1e100; }

// Indices of at most `most` points that draw the same line: of each bucket the first, the last and
// the extremes of x and y (the M4 aggregation of Jugel and others, 2014). Leaves out what is not
// finite.
std::vector<Eigen::Index> decimated(const Vector& x, const Vector& y, int most = most_points);

}  // namespace tauflex
