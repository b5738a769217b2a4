#include "tauflex/analysis/linear_problem.hpp"

#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/constraints.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {

Matrix effect_of_torques(const Robot& robot, const Matrix& G) {
  const auto n = G.cols();
  Matrix joints = Matrix::Zero(n, static_cast<Eigen::Index>(robot.actuation().drives.size()));
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
    joints(robot.actuation().drives[d].joint_v, static_cast<Eigen::Index>(d)) =
        robot.actuation().drives[d].gear_ratio;
  return svd(G).V.rightCols(n - G.rows()).transpose() * joints;
}

namespace {

// As many directions of u as there are outputs, those with the most effect; drives x outputs.
Matrix useful_torques(const InverseProblem& problem, const Matrix& G) {
  const auto drives = static_cast<Eigen::Index>(problem.robot().actuation().drives.size());
  if (!problem.is_redundant()) return Matrix::Identity(drives, drives);
  return svd(effect_of_torques(problem.robot(), G)).V.leftCols(problem.output_count());
}

}  // namespace

RestDerivatives rest_derivatives(const InverseProblem& problem, const RestState& state) {
  const Robot& robot = problem.robot();
  const int n = robot.tree_nv(), ny = problem.output_count();
  MechanicsData data(robot);
  MotionDerivatives d(robot);
  const Vector zero = Vector::Zero(robot.nv());
  motion_derivatives(robot, data, state.q, zero, zero, d);
  add_constraint_force_derivative(robot, data, state.lambda, -1, d.stiffness.topLeftCorner(n, n));
  Matrix J = Matrix::Zero(ny, robot.nv()), G = Matrix::Zero(robot.constraint_count(), n);
  Vector here(ny);
  output_values(robot, data, state.q, state.lambda, problem.outputs(), here);
  output_jacobian(robot, data, problem.outputs(), here, J);
  constraint_jacobian(robot, data, G);
  return {d.mass, d.damping, d.stiffness, J, G};
}

LinearProblem linear_problem(const InverseProblem& problem, const RestState& state) {
  const Robot& robot = problem.robot();
  const int nv = robot.nv(), n = robot.tree_nv(), ny = problem.output_count(),
            ng = robot.constraint_count();
  const RestDerivatives at = rest_derivatives(problem, state);
  const Matrix B = input_matrix(robot), Q = useful_torques(problem, at.G);
  const int lambda = 2 * nv + ny, size = lambda + ng;
  Matrix E = Matrix::Zero(size, size), A = E;
  E.topLeftCorner(nv, nv).setIdentity();
  E.block(nv, nv, nv, nv) = at.M;
  A.block(0, nv, nv, nv).setIdentity();
  A.block(nv, 0, nv, nv) = -at.K;
  A.block(nv, nv, nv, nv) = -at.D;
  A.block(nv, 2 * nv, nv, ny) = B * Q;
  A.block(nv, lambda, n, ng) = at.G.transpose();
  A.block(2 * nv, 0, ny, nv) = at.J;
  for (const auto [output, constraint] : problem.force_outputs())
    A(2 * nv + output, lambda + constraint) = 1;
  A.block(lambda, 0, ng, n) = at.G;
  return {E, A, Q};
}

}  // namespace tauflex
