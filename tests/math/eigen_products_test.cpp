// Products of matrices of doubles, which Eigen hands over to math/eigen_products: against sums
// written out, wherever factors and results lie in memory.
#include "tauflex/math/eigen_products.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tauflex {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Strided = Eigen::Map<Matrix, 0, Eigen::Stride<-1, -1>>;

// The largest difference of elements, in a share of the sum of the sizes of all terms.
double difference(const Matrix& result, const Matrix& before, const Matrix& a, const Matrix& b,
                  double alpha) {
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.cols(); ++j) {
      double sum = 0, size = std::abs(before(i, j)) + 1e-300;
      for (Index k = 0; k < a.cols(); ++k) {
        sum += a(i, k) * b(k, j);
        size += std::abs(alpha * a(i, k) * b(k, j));
      }
      largest = std::max(largest, std::abs(before(i, j) + alpha * sum - result(i, j)) / size);
    }
  return largest;
}

// Every way to write a product of `a` and `b` into `result`.
template <typename Result, typename A, typename B>
void expect_products(Result&& result, const A& a, const B& b) {
  const Matrix zero = Matrix::Zero(a.rows(), b.cols()), before = result;
  const double bound = 1e-15 * static_cast<double>(a.cols() + 2);  // rounding of the sums
  const auto expect = [&](const Matrix& start, double alpha) {
    EXPECT_LE(difference(result, start, a, b, alpha), bound)
        << a.rows() << " x " << a.cols() << " x " << b.cols();
    result = before;
  };
  result.noalias() = a * b;
  expect(zero, 1);
  result.noalias() += a * b;
  expect(before, 1);
  result.noalias() -= a * b;
  expect(before, -1);
  result.noalias() = -a * (2.5 * b);
  expect(zero, -2.5);
  result.noalias() -= (a * 3) * b;
  expect(before, -3);
  result = a * b;
  expect(zero, 1);
}

TEST(EigenProducts, AreSumsWhereverMatricesLie) {
  std::mt19937 random(1);
  const auto size = [&](Index most) {
    return std::uniform_int_distribution<Index>(0, most)(random);
  };
  for (int round = 0; round < 120; ++round) {
    const Index most = round % 3 == 0 ? 40 : 7;  // Eigen multiplies matrices below 20 term by term
    const Index m = size(most), n = size(most), k = size(most);
    const Matrix a = Matrix::Random(m, k), b = Matrix::Random(k, n);
    const Matrix a_t = a.transpose(), b_t = b.transpose();
    Matrix large = Matrix::Random(3 * most + 3, 3 * most + 3);
    const Matrix large_a = Matrix::Random(3 * most + 3, 3 * most + 3);
    Matrix result = Matrix::Random(m, n), across = Matrix::Random(n, m);
    expect_products(result, a, b);
    expect_products(result, a_t.transpose(), b);
    expect_products(result, a, b_t.transpose());
    expect_products(result, a_t.transpose(), b_t.transpose());
    expect_products(across.transpose(), a, b);
    expect_products(across.transpose(), a_t.transpose(), b_t.transpose());
    expect_products(large.block(1, 2, m, n), large_a.block(2, 1, m, k), b);
    expect_products(large.block(1, 2, n, m).transpose(), a, large_a.block(1, 1, n, k).transpose());
    // neither rows nor columns are dense
    const Eigen::Stride<-1, -1> apart(3 * large.rows(), 2);
    const Strided a_apart(const_cast<double*>(large_a.data()), m, k, apart);
    const Strided b_apart(const_cast<double*>(large_a.data()) + 1, k, n, apart);
    expect_products(result, a_apart, b_apart);
    expect_products(Strided(large.data(), m, n, apart), a, b);
    expect_products(Strided(large.data(), m, n, apart), a_apart, b_t.transpose());
    // computed first: neither lies in memory
    expect_products(result, (a + a).eval() - a,
                    a.cwiseAbs().transpose() * large_a.topLeftCorner(m, n));
  }
}

TEST(EigenProducts, OfVectorsAreSumsWhereverTheyLie) {
  std::mt19937 random(2);
  const auto size = [&](Index most) {
    return std::uniform_int_distribution<Index>(1, most)(random);
  };
  for (int round = 0; round < 100; ++round) {
    const Index m = size(30), k = size(30);
    const Matrix a = Matrix::Random(m, k), a_t = a.transpose();
    const Eigen::VectorXd x = Eigen::VectorXd::Random(k), w = Eigen::VectorXd::Random(m);
    Matrix table = Matrix::Random(m, 5), wide = Matrix::Random(4, m), rows = Matrix::Random(3, k);
    Eigen::VectorXd y = Eigen::VectorXd::Random(m);
    Eigen::RowVectorXd y_t = Eigen::RowVectorXd::Random(k);
    Eigen::Matrix<double, 1, 1> number = Eigen::Matrix<double, 1, 1>::Random();
    expect_products(y, a, x);
    expect_products(y, a_t.transpose(), x);
    expect_products(y, a, rows.row(1).transpose());
    expect_products(y, a_t.transpose(), rows.row(1).transpose());
    expect_products(table.col(3), a, x);
    expect_products(wide.row(2).transpose(), a, x);
    expect_products(wide.row(2).transpose(), a_t.transpose(), rows.row(0).transpose());
    expect_products(y_t, w.transpose(), a);
    expect_products(rows.row(2), w.transpose(), a_t.transpose());
    expect_products(rows.row(2), wide.row(1), a);
    expect_products(number, rows.row(0), x);  // inner
    Matrix outer = Matrix::Random(m, k);
    expect_products(outer, w, x.transpose());  // outer
    expect_products(outer, wide.row(0).transpose(), rows.row(1));
    expect_products(outer, 2 * w, (x.array() * x.array()).matrix().transpose());
    Matrix one_column = Matrix::Random(m, 1);  // known when the program runs
    expect_products(one_column, a, Matrix(x));
    Matrix one_row = Matrix::Random(1, k);
    expect_products(one_row, Matrix(w.transpose()), a);
  }
}

TEST(EigenProducts, OfThreeAndInPlaceAreAsWritten) {
  const Matrix a = Matrix::Random(5, 5), b = Matrix::Random(5, 5);
  Matrix c = a;
  c = c * b;  // through a copy, as Eigen does
  EXPECT_LE(difference(c, Matrix::Zero(5, 5), a, b, 1), 1e-14);
  const Matrix chain = a * b * c, two = a * b;
  EXPECT_LE(difference(chain, Matrix::Zero(5, 5), two, c, 1), 1e-14);
}

}  // namespace
}  // namespace tauflex
