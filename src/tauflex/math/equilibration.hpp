// Scaling of a matrix by rows and columns, so that the largest entry of each is close to 1.
#pragma once

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// Factors for rows and columns, powers of two: nothing is rounded by them.
struct Scales {
  Vector rows, columns;
};

// From the sizes of the entries; rows and columns of zeros keep the factor 1.
Scales equilibrate(Matrix sizes, int sweeps = 6);

}  // namespace tauflex
