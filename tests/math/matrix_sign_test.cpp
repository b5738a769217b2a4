// Closed forms of the sign of a matrix: eigenvalues become their signs, eigenvectors stay.
#include "tauflex/math/matrix_sign.hpp"

#include <gtest/gtest.h>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {
namespace {

TEST(MatrixSign, has_the_signs_of_the_eigenvalues) {
  Matrix X(4, 4);
  X << 1, 2, 0, -1, 0, 1, 3, 0, 2, 0, 1, 1, -1, 0, 0, 2;
  // far apart, and in any unit
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const Vector values = unit * (Vector(4) << -2000, 378, 1e-2, -3).finished();
    MatrixSign sign;
    sign.compute(X * values.asDiagonal() * solve_linear(X, Matrix::Identity(4, 4)));
    const Matrix expected =
        X * values.cwiseSign().asDiagonal() * solve_linear(X, Matrix::Identity(4, 4));
    // rounding of A, 2000, over the smallest eigenvalue, 0.01
    EXPECT_LT((sign.value() - expected).cwiseAbs().maxCoeff(), 1e-9) << unit;
  }
  MatrixSign sign;
  Matrix A(2, 2);
  A << 1, 5, -5, 1;  // 1 +/- 5 i
  sign.compute(A);
  EXPECT_LT((sign.value() - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace tauflex
