#include "tauflex/math/pencil.hpp"

#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"

namespace tauflex {

namespace {

// Rows and columns of [E A] to comparable size; returns what columns were multiplied with.
Vector to_one_size(Matrix& E, Matrix& A) {
  const Scales scales = equilibrate(E.cwiseAbs().cwiseMax(A.cwiseAbs()));
  for (Matrix* matrix : {&E, &A})
    *matrix = scales.rows.asDiagonal() * *matrix * scales.columns.asDiagonal();
  return scales.columns;
}

}  // namespace

PencilStructure pencil_structure(Matrix E, Matrix A, double tolerance) {
  PencilStructure result;
  result.gap = std::numeric_limits<double>::infinity();
  // Time in units in which E and A are of one size.
  const double time =
      E.norm() > 0 && A.norm() > 0 ? std::exp2(std::round(std::log2(A.norm() / E.norm()))) : 1;
  E *= time;
  // once: what follows is orthogonal and keeps the size of rounding
  result.states = to_one_size(E, A).asDiagonal();
  const double threshold = tolerance * std::max(E.norm(), A.norm());
  while (E.rows() > 0) {
    const auto n = E.rows();
    const Svd dynamic = svd(E);
    const RankDecision rank_E = decide_rank(dynamic.sigma, threshold);
    result.gap = std::min(result.gap, rank_E.gap);
    const auto r = rank_E.rank;
    if (r == n) break;
    ++result.index;
    // U^T E = [E1; 0],  U^T A = [A1; A2]:  A2 x = 0 leaves x in the null space of A2.
    const Matrix UE = dynamic.U.transpose() * E, UA = dynamic.U.transpose() * A;
    const Svd algebraic = svd(UA.bottomRows(n - r));
    const RankDecision rank_A = decide_rank(algebraic.sigma, threshold);
    result.gap = std::min(result.gap, rank_A.gap);
    if (rank_A.rank < n - r) {
      result.regular = false;
      return result;
    }
    const Matrix V = algebraic.V.rightCols(r);
    const Matrix E_next = UE.topRows(r) * V;
    A = UA.topRows(r) * V;
    E = E_next;
    result.states = result.states * V;
  }
  result.rates = E.rows() > 0 ? Matrix(time * solve_linear(E, A)) : Matrix(0, 0);
  if (E.rows() > 0)
    for (const auto& value : eigenvalues(result.rates)) result.eigenvalues.push_back(value);
  return result;
}

Eigen::VectorXcd null_vector(const Matrix& E, const Matrix& A, std::complex<double> s) {
  const double time =
      E.norm() > 0 && A.norm() > 0 ? std::exp2(std::round(std::log2(A.norm() / E.norm()))) : 1;
  const Scales scales = equilibrate((E.cwiseAbs() * time).cwiseMax(A.cwiseAbs()));
  const Eigen::MatrixXcd pencil =
      scales.rows.asDiagonal() * (s * E - A) * scales.columns.asDiagonal().toDenseMatrix();
  const Eigen::VectorXcd x = scales.columns.asDiagonal() * last_right_singular_vector(pencil);
  return x / x.norm();
}

}  // namespace tauflex
