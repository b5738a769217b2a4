#include "tauflex/math/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

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

Eigen::VectorXcd last_right_singular_vector(const Eigen::MatrixXcd& A) {
  const Eigen::JacobiSVD<Eigen::MatrixXcd> result(A, Eigen::ComputeFullV);
  return result.matrixV().col(A.cols() - 1);
}

Eigen::VectorXcd eigenvalues(const Matrix& A) {
  return Eigen::EigenSolver<Matrix>(A, false).eigenvalues();
}

Eigensystem eigensystem(const Matrix& A) {
  if (A.size() == 0) return {Eigen::VectorXcd(0), Eigen::MatrixXcd(0, 0)};
  const Eigen::EigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

double condition_number(const Matrix& A) {
  const auto norm = [](const Matrix& M) { return M.cwiseAbs().colwise().sum().maxCoeff(); };
  return A.size() == 0 ? 1 : norm(A) * norm(A.partialPivLu().inverse());
}

int determinant_sign(const Matrix& A) {
  const Eigen::PartialPivLU<Matrix> lu(A);
  int sign = static_cast<int>(lu.permutationP().determinant());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double pivot = lu.matrixLU()(i, i);
    sign *= pivot > 0 ? 1 : pivot < 0 ? -1 : 0;
  }
  return sign;
}

Matrix exponential(const Matrix& A) { return A.exp(); }

Matrix solve_linear(const Matrix& A, const Matrix& B) { return A.partialPivLu().solve(B); }

Vector least_norm_solution(const Matrix& A, const Vector& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

Eigen::VectorXcd least_norm_solution(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

Vector solve_least_squares(const Matrix& A, const Vector& b) {
  return A.colPivHouseholderQr().solve(b);
}

}  // namespace tauflex
