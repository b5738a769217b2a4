// Saddle-point systems: the sparse elimination against the full one.
#include "tauflex/math/saddle_solver.hpp"

#include <gtest/gtest.h>

namespace tauflex {
namespace {

// A chain of bodies: M of blocks, each row of G between two neighbours.
Matrix chain(Eigen::Index bodies, double seed) {
  const Eigen::Index n = 3 * bodies, m = 2 * bodies;
  Matrix A = Matrix::Zero(n + m, n + m);
  for (Eigen::Index i = 0; i < n; ++i) A(i, i) = 1 + 0.5 * std::sin(seed + static_cast<double>(i));
  for (Eigen::Index k = 0; k < m; ++k)
    for (Eigen::Index i = 0; i < 6; ++i) {
      const Eigen::Index j = 3 * (k / 2) + i - 3;
      if (j < 0 || (k + i) % 3 == 0) continue;
      A(n + k, j) = A(j, n + k) =
          std::cos(seed * static_cast<double>(1 + k) + static_cast<double>(i * i));
    }
  return A;
}

TEST(SaddleSolver, sparse_and_full_agree) {
  for (const Eigen::Index bodies : {4, 40}) {
    SaddleSolver solver;
    for (const double seed : {0.3, 0.7}) {
      const Matrix A = chain(bodies, seed);
      const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
      Vector x(A.rows());
      solver.compute(A, 3 * bodies);
      EXPECT_EQ(solver.is_sparse(), bodies == 40);
      solver.solve(b, x);
      EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-12 * x.cwiseAbs().maxCoeff());  // rounding
      const Matrix B = Matrix::Identity(A.rows(), 3);
      EXPECT_LT((A * solver.solve(B) - B).cwiseAbs().maxCoeff(),
                1e-10);  // rounding, times condition
    }
  }
}

// An entry that was zero so far becomes different from zero: the order is found anew.
TEST(SaddleSolver, follows_a_pattern_that_grows) {
  SaddleSolver solver;
  Matrix A = chain(40, 0.3);
  solver.compute(A, 120);
  A(0, 100) = A(100, 0) = 0.2;
  solver.compute(A, 120);
  const Vector b = Vector::Ones(A.rows());
  Vector x(A.rows());
  solver.solve(b, x);
  EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-12 * x.cwiseAbs().maxCoeff());  // rounding
}

}  // namespace
}  // namespace tauflex
