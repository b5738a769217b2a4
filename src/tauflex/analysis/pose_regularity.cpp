#include "tauflex/analysis/pose_regularity.hpp"

#include "tauflex/analysis/free_motion.hpp"
#include "tauflex/equations/start.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/lu.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/model/natural_units.hpp"

namespace tauflex {

namespace {

// Smaller at the start: never meant to be regular.
constexpr double by_structure = 1e-9;

}  // namespace

Closeness closeness(const Regularity& now, const Regularity& start) {
  const double loops = now.loops / start.loops, coupling = now.coupling / start.coupling;
  if (now.outputs <= loops && now.outputs <= coupling) return {now.outputs, Part::outputs};
  return loops <= coupling ? Closeness{loops, Part::loops} : Closeness{coupling, Part::coupling};
}

const char* meaning_of(Part part) {
  switch (part) {
    case Part::outputs:
      return "outputs and constraints cannot be moved independently there";
    case Part::loops:
      return "the drives cannot balance the forces in its loops there";
    case Part::coupling:
      return "joints without a drive are not moved by the outputs there";
  }
  return "";
}

PoseRegularity::PoseRegularity(const InverseProblem& problem, const Vector& start)
    : problem_(problem),
      mechanics_(problem.robot()),
      units_(velocity_units(problem.robot()).head(problem.robot().tree_nv())) {
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
  const Matrix M = units_.asDiagonal() * mechanics_.M.topLeftCorner(n, n) * units_.asDiagonal();
  Matrix W = Matrix::Zero(n + nl, n + nl);
  W.topLeftCorner(C.rows(), n) = C;
  W.bottomLeftCorner(np, n) = M(passive, Eigen::all);
  W.bottomRightCorner(np, nl) = -G_p;
  result.motion_branch = Lu(W).determinant_sign();
  if (n == C.rows()) return result;
  const Vector cosines = singular_values(free_motion(C, G_p.transpose(), passive, M).m);
  result.coupling = cosines[cosines.size() - 1];
  return result;
}

}  // namespace tauflex
