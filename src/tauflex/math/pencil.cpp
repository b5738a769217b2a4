#include "tauflex/math/pencil.hpp"

#include <limits>

#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/equilibration.hpp"

namespace tauflex {

namespace {

// Factors for rows and columns, and the unit of time, in which E and A are of one size.
struct PencilUnits {
  Scales scales;
  // E times this is in the unit.
  double rate = 1;

  Matrix of(const Matrix& A) const {
    return scales.rows.asDiagonal() * A * scales.columns.asDiagonal();
  }
};

PencilUnits balanced(const Matrix& E, const Matrix& A) {
  PencilUnits units;
  if (E.isZero(0) || A.isZero(0)) {
    units.scales = equilibrate(E.cwiseAbs().cwiseMax(A.cwiseAbs()));
    return units;
  }
  // Both depend on each other; a few rounds settle it.
  for (int round = 0; round < 12; ++round) {
    units.scales = equilibrate((units.rate * E).cwiseAbs().cwiseMax(A.cwiseAbs()));
    const double factor =
        std::exp2(std::round(std::log2(units.of(A).norm() / (units.rate * units.of(E).norm()))));
    if (factor == 1) break;
    units.rate *= factor;
  }
  units.scales = equilibrate((units.rate * E).cwiseAbs().cwiseMax(A.cwiseAbs()));
  return units;
}

}  // namespace

PencilStructure pencil_structure(Matrix E, Matrix A, double tolerance) {
  PencilStructure result;
  result.gap = std::numeric_limits<double>::infinity();
  // once: what follows is orthogonal and keeps the size of rounding
  const PencilUnits units = balanced(E, A);
  const double time = units.rate;
  E = time * units.of(E);
  A = units.of(A);
  result.states = units.scales.columns.asDiagonal();
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
  const PencilUnits units = balanced(E, A);
  const Eigen::MatrixXcd pencil = s * units.of(E) - units.of(A);
  const Eigen::VectorXcd x = units.scales.columns.asDiagonal() * last_right_singular_vector(pencil);
  return x / x.norm();
}

}  // namespace tauflex
