#include "tauflex/analysis/pose_regularity.hpp"

#include "tauflex/equations/start.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {

namespace {

// Smaller at the start: never meant to be regular.
constexpr double by_structure = 1e-9;

// Smallest over largest singular value of a matrix that should have full rank; 1 for an empty one.
double fullness(const Matrix& A) {
  if (A.size() == 0) return 1;
  const Vector sigma = singular_values(A);
  return sigma[0] > 0 ? sigma[sigma.size() - 1] / sigma[0] : 0;
}

// B with B^T M B = 1 and the same span.
Matrix orthonormal(const Matrix& basis, const Matrix& M) {
  const Matrix R = cholesky_factor(basis.transpose() * M * basis);
  return solve_linear(R.transpose(), basis.transpose()).transpose();
}

}  // namespace

PoseRegularity::PoseRegularity(const InverseProblem& problem, const Vector& start)
    : problem_(problem), mechanics_(problem.robot()) {
  std::vector<bool> wanted(problem.robot().constraints().size(), false);
  for (const ForceRow& force : problem.force_outputs()) wanted[force.constraint] = true;
  for (int i = 0; i < problem.robot().constraint_count(); ++i)
    if (!wanted[i]) free_multipliers_.push_back(i);
  if (!problem.is_block_triangular()) return;
  has_loops_ = has_coupling_ = true;
  const Regularity here = at(start);
  has_loops_ = here.loops > by_structure;
  has_coupling_ = has_loops_ && here.coupling > by_structure;
}

Regularity PoseRegularity::at(const Vector& q) {
  const Robot& robot = problem_.robot();
  const int n = robot.tree_nv();
  Regularity result;
  const Matrix rows = independence_rows(problem_, q);
  result.outputs = rows.rows() > rows.cols() ? 0 : fullness(rows);
  if (!problem_.is_block_triangular()) return result;
  const Matrix C = rows.leftCols(n);
  if (C.rows() == n) result.pose_branch = Lu(C).determinant_sign();
  const std::vector<int>& passive = problem_.passive_rows();
  const auto np = static_cast<Eigen::Index>(passive.size());
  const auto nl = static_cast<Eigen::Index>(free_multipliers_.size());
  const Matrix G_p = C.bottomRows(robot.constraint_count())(free_multipliers_, passive).transpose();
  if (has_loops_) result.loops = fullness(G_p);
  if (!has_coupling_ || np == 0 || C.rows() + np != n + nl) return result;
  mass_matrix(robot, mechanics_, q);
  const Matrix M = mechanics_.M.topLeftCorner(n, n);
  Matrix W = Matrix::Zero(n + nl, n + nl);
  W.topLeftCorner(C.rows(), n) = C;
  W.bottomLeftCorner(np, n) = M(passive, Eigen::all);
  W.bottomRightCorner(np, nl) = -G_p;
  result.motion_branch = Lu(W).determinant_sign();
  const auto freedom = n - C.rows();
  if (freedom == 0) return result;
  Matrix Z = Matrix::Zero(n, freedom);
  Z(passive, Eigen::all) = svd(G_p).U.rightCols(freedom);
  const Vector cosines = singular_values(orthonormal(Z, M).transpose() * M *
                                         orthonormal(svd(C).V.rightCols(freedom), M));
  result.coupling = cosines[cosines.size() - 1];
  return result;
}

}  // namespace tauflex
