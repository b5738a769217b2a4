#include "tauflex/analysis/rest_structure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/analysis/free_motion.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/math/pencil.hpp"
#include "tauflex/mechanics/drive_train.hpp"

namespace tauflex {

Vector RestStructure::participation(std::complex<double> zero) const {
  const Eigen::VectorXcd x = null_vector(E, A, zero).head(directions.cols());
  const Vector re = directions * x.real(), im = directions * x.imag();
  return (re.cwiseAbs2() + im.cwiseAbs2()).cwiseSqrt();
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();
// Cosines below it are zero by structure: rounding of a mass matrix with condition number 1e5.
constexpr double no_coupling = 1e-10;

// Z^T A N without what is rounding of its sums. Bases are found to a few digits less than they
// have; 1e-12 leaves room for that.
Matrix projected(const Matrix& Z, const Matrix& A, const Matrix& N) {
  Matrix product = Z.transpose() * A * N;
  const Matrix sums = Z.transpose().cwiseAbs() * A.cwiseAbs() * N.cwiseAbs();
  return (product.array().abs() > 1e-12 * sums.array()).select(product, 0.0);
}

// What the joints do: m s'' + d s' + k s = 0 in a unit of time in which d and k are at most 1.
struct JointMotion {
  FreeMotion free;
  Matrix d, k;
  // 1/s, the unit
  double rate = 1;
  // Of C and G_pf; below rounding outputs or loops are dependent.
  double fullness = 1;
};

JointMotion joint_motion(const InverseProblem& problem, const RestState& state) {
  const int n = problem.robot().tree_nv(), ng = problem.robot().constraint_count();
  const RestDerivatives at = rest_derivatives(problem, state);
  const Matrix M = at.M.topLeftCorner(n, n);
  Matrix C(problem.motion_output_count() + ng, n);
  C << at.J(problem.motion_outputs(), Eigen::seqN(0, n)), at.G;
  std::vector<bool> is_given(ng, false);
  for (const ForceRow& force : problem.force_outputs()) is_given[force.constraint] = true;
  std::vector<int> multipliers;
  for (int i = 0; i < ng; ++i)
    if (!is_given[i]) multipliers.push_back(i);
  JointMotion joints;
  if (C.rows() > n) {
    joints.fullness = 0;
    return joints;
  }
  // rows and columns of one size
  const Vector unit = M.diagonal().cwiseSqrt().cwiseInverse();
  joints.fullness = fullness(unit_rows(C * unit.asDiagonal()));
  if (problem.is_redundant()) return joints;
  const std::vector<int>& passive = problem.passive_rows();
  const Matrix G_pf = at.G(multipliers, passive);
  joints.fullness =
      std::min(joints.fullness, fullness(unit_rows(G_pf * unit(passive).asDiagonal())));
  if (problem.is_complete()) return joints;
  joints.free = free_motion(C, G_pf, passive, M);
  const Matrix &Z = joints.free.Z, &N = joints.free.N;
  joints.free.m = projected(Z, M, N);
  joints.d = projected(Z, at.D.topLeftCorner(n, n), N);
  joints.k = projected(Z, at.K.topLeftCorner(n, n), N);
  const double fastest = std::max(std::sqrt(joints.k.norm()), joints.d.norm());
  if (fastest > 0) joints.rate = std::exp2(std::round(std::log2(fastest)));
  joints.d /= joints.rate;
  joints.k /= joints.rate * joints.rate;
  return joints;
}

// Fills what the joints decide: zeros, derivative 2 or more, directions.
void add_joints(const JointMotion& joints, int nv, RestStructure& result) {
  const auto n = joints.free.N.rows(), p = joints.free.N.cols();
  result.directions = Matrix::Zero(nv, p);
  result.directions.topRows(n) = joints.free.N;
  Matrix E = Matrix::Identity(2 * p, 2 * p), A = Matrix::Zero(2 * p, 2 * p);
  E.bottomRightCorner(p, p) = joints.free.m;
  A.topRightCorner(p, p).setIdentity();
  A.bottomRows(p) << -joints.k, -joints.d;
  result.derivative = 2;
  if (p == 0) return;
  const Vector cosines = singular_values(joints.free.m);
  const RankDecision rank = decide_rank(cosines, no_coupling);
  result.gap = std::min(result.gap, rank.gap);
  if (rank.rank == p) {
    for (const auto& zero : eigenvalues(solve_linear(E, A)))
      result.zeros.push_back(joints.rate * zero);
  } else {
    // Accelerations alone do not determine s. The right-hand side has derivative 2 of the path, s''
    // that of it whose order is the index.
    const PencilStructure pencil = pencil_structure(E, A);
    result.regular = pencil.regular;
    result.gap = std::min(result.gap, pencil.gap);
    result.derivative += pencil.index;
    for (const auto& zero : pencil.eigenvalues) result.zeros.push_back(joints.rate * zero);
  }
  // in seconds
  result.E = E / joints.rate;
  result.A = A;
}

// D x' + K x = 0 of the drive springs: what is not damped follows from what is. All decay.
void add_springs(const DriveTrain& train, const Vector& q, RestStructure& result) {
  if (train.size() == 0) return;
  Vector stretch(train.size());
  train.stretch(q, stretch);
  Matrix K = train.stiffness();
  for (int i = 0; i < train.size(); ++i) K(i, i) += train.beyond_slope(i, stretch[i]);
  // springs of one size: 1 on the diagonal of D, or of K where there is no damping
  Vector unit(train.size());
  for (int i = 0; i < train.size(); ++i)
    unit[i] = 1 / std::sqrt(train.damping()(i, i) > 0 ? train.damping()(i, i) : K(i, i));
  const Matrix D = unit.asDiagonal() * train.damping() * unit.asDiagonal();
  K = unit.asDiagonal() * K * unit.asDiagonal();
  const Svd s = svd(D);
  const RankDecision rank = decide_rank(s.sigma, 1e3 * rounding * static_cast<double>(D.rows()));
  const auto damped = rank.rank, undamped = train.size() - damped;
  result.derivative += undamped > 0 ? 2 : 1;
  if (damped == 0) return;
  const Matrix K_1 = s.V.transpose() * K * s.V;
  Matrix relaxed = K_1.topLeftCorner(damped, damped);
  if (undamped > 0)
    relaxed -= K_1.topRightCorner(damped, undamped) *
               solve_linear(K_1.bottomRightCorner(undamped, undamped),
                            K_1.bottomLeftCorner(undamped, damped));
  const Matrix rates = s.sigma.head(damped).cwiseInverse().asDiagonal() * relaxed;
  for (const auto& rate : eigenvalues(rates)) result.zeros.push_back(-rate.real());
}

RestStructure by_construction(const InverseProblem& problem, const RestState& state) {
  const JointMotion joints = joint_motion(problem, state);
  RestStructure result;
  result.gap = infinity;
  if (joints.fullness < 1e3 * rounding) {
    result.regular = false;
    result.gap = joints.fullness / rounding;
    return result;
  }
  add_joints(joints, problem.robot().nv(), result);
  add_springs(DriveTrain(problem.robot()), state.q, result);
  return result;
}

// The pencil in units of the robot: coordinates by the mass that they move, time by the fastest
// rate of masses and springs, everything else by its largest entry. Returns the rate, 1/s: the
// eigenvalues are in units of it.
double to_natural_units(const InverseProblem& problem, Matrix& E, Matrix& A) {
  const int nv = problem.robot().nv();
  const auto others = E.rows() - 2 * nv;
  const Vector unit = E.block(nv, nv, nv, nv).diagonal().cwiseSqrt().cwiseInverse();
  const auto largest = [&](const Matrix& part) {
    return (unit.asDiagonal() * part * unit.asDiagonal()).cwiseAbs().maxCoeff();
  };
  const double fastest =
      std::max(std::sqrt(largest(A.block(nv, 0, nv, nv))), largest(A.block(nv, nv, nv, nv)));
  const double rate = fastest > 0 ? fastest : 1;
  Vector rows = Vector::Ones(E.rows()), columns = rows;
  columns.head(nv) = unit;
  columns.segment(nv, nv) = rate * unit;
  rows.head(nv) = unit.cwiseInverse() / rate;
  rows.segment(nv, nv) = unit / (rate * rate);
  E = rate * rows.asDiagonal() * E * columns.asDiagonal();
  A = rows.asDiagonal() * A * columns.asDiagonal();
  // torques, multipliers, outputs and constraints are in A alone
  for (Eigen::Index i = 0; i < others; ++i) {
    const double torque = A.col(2 * nv + i).head(2 * nv).cwiseAbs().maxCoeff();
    if (torque > 0) A.col(2 * nv + i) /= torque;
  }
  for (Eigen::Index i = 0; i < others; ++i) {
    const double output = A.row(2 * nv + i).cwiseAbs().maxCoeff();
    if (output > 0) A.row(2 * nv + i) /= output;
  }
  return rate;
}

RestStructure by_ranks(const InverseProblem& problem, const RestState& state) {
  const LinearProblem linear = linear_problem(problem, state);
  RestStructure result;
  result.directions = Matrix::Identity(problem.robot().nv(), problem.robot().nv());
  result.E = linear.E;
  result.A = linear.A;
  Matrix E = linear.E, A = linear.A;
  const double rate = to_natural_units(problem, E, A);
  const PencilStructure pencil = pencil_structure(E, A);
  result.regular = pencil.regular;
  result.derivative = pencil.index - 1;
  result.gap = pencil.gap;
  for (const auto& zero : pencil.eigenvalues) result.zeros.push_back(rate * zero);
  return result;
}

}  // namespace

RestStructure structure_at_rest(const InverseProblem& problem, const RestState& state) {
  const bool applies =
      problem.is_block_triangular() && (problem.is_complete() || !problem.is_redundant());
  return applies ? by_construction(problem, state) : by_ranks(problem, state);
}

}  // namespace tauflex
