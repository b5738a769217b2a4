#include "tauflex/math/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace tauflex {

Svd svd(const Matrix& A) {
  if (A.size() == 0)  // Eigen asks for at least one entry
    return {Matrix::Identity(A.rows(), A.rows()), Vector(0), Matrix::Identity(A.cols(), A.cols())};
  const Eigen::JacobiSVD<Matrix> result(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {result.matrixU(), result.singularValues(), result.matrixV()};
}

Vector singular_values(const Matrix& A) { return svd(A).sigma; }

Eigen::VectorXcd eigenvalues(const Matrix& A) {
  return Eigen::EigenSolver<Matrix>(A, false).eigenvalues();
}

Matrix solve_linear(const Matrix& A, const Matrix& B) { return A.partialPivLu().solve(B); }

Vector solve_least_squares(const Matrix& A, const Vector& b) {
  return A.colPivHouseholderQr().solve(b);
}

}  // namespace tauflex
