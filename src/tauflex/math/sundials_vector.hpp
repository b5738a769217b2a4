// Vectors of SUNDIALS as vectors of Eigen, nothing copied.
#pragma once

#include <nvector/nvector_serial.h>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

inline Eigen::Map<const Vector> view(N_Vector x) { return {NV_DATA_S(x), NV_LENGTH_S(x)}; }
inline Eigen::Map<Vector> view_out(N_Vector x) { return {NV_DATA_S(x), NV_LENGTH_S(x)}; }

}  // namespace tauflex
