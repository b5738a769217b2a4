// An oracle: the linear equations of a Radau step, against the matrix of all stages.
#include "tauflex/solvers/radau_newton.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {
namespace {

TEST(RadauNewton, solves_the_equations_of_all_stages) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const int p : {1, 2, 6})
    for (const double h : {1e-3, 0.1, 3.0}) {
      const int n = 2 * p;
      Matrix J = Matrix::Zero(n, n);
      J.topRightCorner(p, p).setIdentity();
      for (int i = p; i < n; ++i)
        for (int j = 0; j < n; ++j) J(i, j) = number(random) * (j < p ? 100 : 10);
      Matrix R(n, radau_stages), all = Matrix::Identity(n * radau_stages, n * radau_stages);
      for (int i = 0; i < R.size(); ++i) R.data()[i] = number(random);
      for (int i = 0; i < radau_stages; ++i)
        for (int j = 0; j < radau_stages; ++j)
          all.block(i * n, j * n, n, n) -= h * radau5().A(i, j) * J;
      const Matrix wanted = solve_linear(all, R.reshaped()).reshaped(n, radau_stages);
      RadauNewton newton(p);
      newton.compute(J.bottomRows(p), h);
      newton.solve(R);
      // rounding times 1e5: the eigenvectors of A are far from orthogonal
      EXPECT_LT((R - wanted).cwiseAbs().maxCoeff(), 1e-9 * wanted.cwiseAbs().maxCoeff())
          << p << " " << h;
    }
}

}  // namespace
}  // namespace tauflex
