#include "tauflex/math/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "tauflex/math/lu.hpp"

namespace tauflex {

namespace {
constexpr Eigen::Index small_size = 24;  // one-sided rotations are best below, bisection above
}

Svd svd(const Matrix& A) {
  if (A.size() == 0)  // Eigen asks for at least one entry
    return {Matrix::Identity(A.rows(), A.rows()), Vector(0), Matrix::Identity(A.cols(), A.cols())};
  const auto parts = [](const auto& result) {
    return Svd{result.matrixU(), result.singularValues(), result.matrixV()};
  };
  if (std::min(A.rows(), A.cols()) < small_size)
    return parts(Eigen::JacobiSVD<Matrix>(A, Eigen::ComputeFullU | Eigen::ComputeFullV));
  return parts(Eigen::BDCSVD<Matrix>(A, Eigen::ComputeFullU | Eigen::ComputeFullV));
}

Vector singular_values(const Matrix& A) {
  if (A.size() == 0) return Vector(0);
  if (std::min(A.rows(), A.cols()) < small_size)
    return Eigen::JacobiSVD<Matrix>(A).singularValues();
  return Eigen::BDCSVD<Matrix>(A).singularValues();
}

RankDecision decide_rank(const Vector& sigma, double threshold) {
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > threshold) ++rank;
  if (rank == 0) return {0, std::numeric_limits<double>::infinity()};
  const double dropped = rank < sigma.size() ? std::max(sigma[rank], 1e-18 * sigma[0]) : threshold;
  return {rank, sigma[rank - 1] / dropped};
}

namespace {

// Complex systems in twice as many real unknowns: (a + ib)(x + iy) = (ax - by) + i (bx + ay).
Matrix real_form(const Eigen::MatrixXcd& A) {
  Matrix M(2 * A.rows(), 2 * A.cols());
  M << A.real(), -A.imag(), A.imag(), A.real();
  return M;
}

Eigen::VectorXcd complex_form(const Vector& x) {
  const auto n = x.size() / 2;
  Eigen::VectorXcd z(n);
  z.real() = x.head(n);
  z.imag() = x.tail(n);
  return z;
}

}  // namespace

Eigen::VectorXcd last_right_singular_vector(const Eigen::MatrixXcd& A) {
  const Svd s = svd(real_form(A));
  return complex_form(s.V.col(s.V.cols() - 1));
}

Eigen::VectorXcd eigenvalues(const Matrix& A) {
  return Eigen::EigenSolver<Matrix>(A, false).eigenvalues();
}

Eigensystem eigensystem(const Matrix& A) {
  if (A.size() == 0) return {Eigen::VectorXcd(0), Eigen::MatrixXcd(0, 0)};
  const Eigen::EigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix cholesky_factor(const Matrix& A) { return Eigen::LLT<Matrix>(A).matrixU(); }

ColumnOrder pivot_columns(const Matrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(threshold);
  const auto& order = qr.colsPermutation().indices();
  return {{order.begin(), order.end()}, static_cast<int>(qr.rank())};
}

Matrix column_space(const Matrix& A, Eigen::Index rank) {
  return Matrix(Eigen::ColPivHouseholderQR<Matrix>(A).householderQ()).leftCols(rank);
}

Qr qr(const Matrix& A) {
  const Eigen::HouseholderQR<Matrix> result(A);
  return {result.householderQ(), result.matrixQR().triangularView<Eigen::Upper>()};
}

void triangularize(Matrix& A, Eigen::Index count) {
  const Eigen::HouseholderQR<Matrix> result(A.leftCols(count));
  A.leftCols(count) = result.matrixQR().triangularView<Eigen::Upper>();
  A.rightCols(A.cols() - count).applyOnTheLeft(result.householderQ().transpose());
}

double condition_number(const Matrix& A) {
  const auto norm = [](const Matrix& M) { return M.cwiseAbs().colwise().sum().maxCoeff(); };
  return A.size() == 0 ? 1 : norm(A) * norm(Lu(A).solve(Matrix::Identity(A.rows(), A.cols())));
}

// Pade approximation of degree 13 of exp(A / 2^s), squared s times [Higham2005, algorithm 2.3].
Matrix exponential(const Matrix& A) {
  constexpr double b[] = {64764752532480000,
                          32382376266240000,
                          7771770303897600,
                          1187353796428800,
                          129060195264000,
                          10559470521600,
                          670442572800,
                          33522128640,
                          1323241920,
                          40840800,
                          960960,
                          16380,
                          182,
                          1};
  constexpr double largest = 5.37;  // norm up to which the approximation is exact to rounding
  if (A.size() == 0) return A;
  const double norm = A.cwiseAbs().colwise().sum().maxCoeff();
  const int squarings = norm > largest ? static_cast<int>(std::ceil(std::log2(norm / largest))) : 0;
  const Matrix one = Matrix::Identity(A.rows(), A.cols()), X = A * std::exp2(-squarings);
  const Matrix X2 = X * X, X4 = X2 * X2, X6 = X4 * X2;
  const Matrix odd = X * (X6 * (b[13] * X6 + b[11] * X4 + b[9] * X2) + b[7] * X6 + b[5] * X4 +
                          b[3] * X2 + b[1] * one);
  const Matrix even =
      X6 * (b[12] * X6 + b[10] * X4 + b[8] * X2) + b[6] * X6 + b[4] * X4 + b[2] * X2 + b[0] * one;
  Matrix result = Lu(even - odd).solve(Matrix(even + odd));
  for (int k = 0; k < squarings; ++k) result = result * result;
  return result;
}

Matrix solve_linear(const Matrix& A, const Matrix& B) { return Lu(A).solve(B); }

Vector least_norm_solution(const Matrix& A, const Vector& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

Eigen::VectorXcd least_norm_solution(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) {
  Vector right(2 * b.size());
  right << b.real(), b.imag();
  return complex_form(least_norm_solution(real_form(A), right));
}

Vector solve_least_squares(const Matrix& A, const Vector& b) {
  return A.colPivHouseholderQr().solve(b);
}

}  // namespace tauflex
