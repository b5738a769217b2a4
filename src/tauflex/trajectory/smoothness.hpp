// Is a path smooth enough? Corners are the places where it is not.
#pragma once

#include <optional>

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

// The first corner at which the path is not C^required, or nothing.
std::optional<Corner> first_corner(const OutputPath& path, int required);

// The corner between the derivatives before and after a time (columns as in OutputPath): the lowest
// derivative >= `lowest` that jumps, in the output where it jumps most. A jump is real when it is
// above the rounding of numbers as large as magnitude[k].
std::optional<Corner> corner_between(double time, const MatrixRef& before, const MatrixRef& after,
                                     int lowest, const VectorRef& magnitude);

}  // namespace tauflex
