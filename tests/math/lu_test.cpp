// Laws: small matrices are eliminated in another way than large ones, and both solve their
// equations; a singular matrix is known by its determinant.
#include "tauflex/math/lu.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tauflex {
namespace {

TEST(Lu, solves_equations_of_any_size) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int n = 1; n <= 40; ++n) {
    Matrix A(n, n);
    for (int i = 0; i < A.size(); ++i) A.data()[i] = number(random);
    A.col(0).array() *= 1e-3;  // pivots are not on the diagonal
    Vector x(n), found(n);
    for (int i = 0; i < n; ++i) x[i] = number(random);
    const Lu lu(A);
    lu.solve(A * x, found);
    // condition numbers up to 1e6
    EXPECT_LT((found - x).cwiseAbs().maxCoeff(), 1e-9) << n;
    EXPECT_LT((A * lu.solve(Matrix(Matrix::Identity(n, n))) - Matrix::Identity(n, n))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-9)
        << n;
    // two rows swapped: the other sign
    if (n < 2) continue;
    const double determinant = lu.determinant();
    A.row(0).swap(A.row(n - 1));
    EXPECT_NEAR(Lu(A).determinant() / determinant, -1, 1e-9) << n;
    EXPECT_EQ(Lu(A).determinant_sign(), determinant > 0 ? -1 : 1) << n;
  }
}

TEST(Lu, of_a_singular_matrix) {
  for (const int n : {3, 20}) {
    Matrix A = Matrix::Identity(n, n);
    A(1, 1) = 0;
    EXPECT_EQ(Lu(A).determinant_sign(), 0) << n;
    Vector b = Vector::Ones(n), x(n);
    Lu(A).solve(b, x);
    EXPECT_FALSE(x.allFinite()) << n;
    b[1] = 0;
    Lu(A).solve(b, x);
    EXPECT_TRUE(x.allFinite()) << n;  // 0 = 0
  }
}

}  // namespace
}  // namespace tauflex
