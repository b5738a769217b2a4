// sign(A): 1 for eigenvalues right of the imaginary axis, -1 left of it; (1 + sign(A))/2 projects
// on what grows.
#pragma once

#include "tauflex/math/lu.hpp"

namespace tauflex {

class MatrixSign {
 public:
  // By Newton's method, scaled by the determinant: a few iterations whatever the units. Allocates
  // for the first matrix of a size only. Not numbers when an eigenvalue lies on the axis.
  void compute(const MatrixRef& A);
  const Matrix& value() const { return S_; }

 private:
  Matrix S_, next_, one_, inverse_;
  Lu lu_;
};

}  // namespace tauflex
