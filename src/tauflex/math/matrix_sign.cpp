#include "tauflex/math/matrix_sign.hpp"

#include <cmath>

namespace tauflex {

void MatrixSign::compute(const MatrixRef& A) {
  S_ = A;
  one_.setIdentity(A.rows(), A.cols());
  inverse_.resize(A.rows(), A.cols());
  for (int iteration = 0; iteration < 60; ++iteration) {
    lu_.compute(S_);
    const double det = std::abs(lu_.determinant());
    const double scale =
        det > 0 && std::isfinite(det) ? std::pow(det, -1.0 / static_cast<double>(S_.rows())) : 1;
    lu_.solve_columns(one_, inverse_);
    next_ = 0.5 * (scale * S_ + inverse_ / scale);
    const double change = (next_ - S_).norm();
    S_ = next_;
    if (!(change > 1e-13 * S_.norm())) break;
  }
}

}  // namespace tauflex
