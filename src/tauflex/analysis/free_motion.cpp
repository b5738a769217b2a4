#include "tauflex/analysis/free_motion.hpp"

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// B with B^T M B = 1 and the same span.
Matrix orthonormal(const Matrix& basis, const Matrix& M) {
  const Matrix R = cholesky_factor(basis.transpose() * M * basis);
  return solve_linear(R.transpose(), basis.transpose()).transpose();
}

// Columns that span what the rows of A take to zero, A of full rank.
Matrix null_space(const Matrix& A) {
  if (A.rows() == 0) return Matrix::Identity(A.cols(), A.cols());
  return qr(A.transpose()).Q.rightCols(A.cols() - A.rows());
}

}  // namespace

double fullness(const Matrix& A) {
  if (A.size() == 0) return 1;
  const Vector sigma = singular_values(A);
  return sigma[0] > 0 ? sigma[sigma.size() - 1] / sigma[0] : 0;
}

Matrix unit_rows(Matrix A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    if (const double length = A.row(i).norm(); length > 0) A.row(i) /= length;
  return A;
}

FreeMotion free_motion(const Matrix& C, const Matrix& G_pf, const std::vector<int>& passive,
                       const Matrix& M) {
  const auto n = C.cols(), freedom = n - C.rows();
  FreeMotion result;
  // joints of one size: a coordinate counts by the mass that it moves
  const Vector unit = M.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix M_1 = unit.asDiagonal() * M * unit.asDiagonal();
  const Matrix C_1 = C * unit.asDiagonal();
  const Matrix G_1 = G_pf * unit(passive).asDiagonal();
  Matrix Z = Matrix::Zero(n, freedom);
  if (freedom > 0) {
    Z(passive, Eigen::all) = null_space(G_1);
    Z = orthonormal(Z, M_1);
  }
  const Matrix N = freedom > 0 ? orthonormal(null_space(C_1), M_1) : Matrix::Zero(n, 0);
  result.m = Z.transpose() * M_1 * N;
  result.N = unit.asDiagonal() * N;
  result.Z = unit.asDiagonal() * Z;
  return result;
}

}  // namespace tauflex
