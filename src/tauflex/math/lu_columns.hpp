// A X = B for several right-hand sides without memory of its own.
#pragma once

#include "tauflex/math/lu.hpp"

namespace tauflex {

// X may be B.
inline void solve_columns(const Lu& lu, const MatrixRef& B, MatrixOut X) {
  for (Eigen::Index k = 0; k < B.cols(); ++k) lu.solve(B.col(k), X.col(k));
}

}  // namespace tauflex
