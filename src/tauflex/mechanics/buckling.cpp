#include "tauflex/mechanics/buckling.hpp"

#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/joint_torques.hpp"

namespace tauflex {

// K = R^T R, R^-T (K + K_load) R^-1 has an eigenvalue 1 + e <= 0: at the load factor -1/e it is 0.
std::optional<Buckling> buckling(const Robot& robot, MechanicsData& data, const VectorRef& q) {
  std::vector<int> columns;
  for (const Body& body : robot.tree().bodies)
    for (int k = 0; k < body.v_count && body.beam >= 0; ++k) columns.push_back(body.v_begin + k);
  if (columns.empty() || robot.constraint_count() > 0 || robot.is_linearized()) return std::nullopt;
  const Vector still = Vector::Zero(robot.nv());
  joint_torque_derivatives(robot, data, q, still, still);
  Matrix K = Matrix::Zero(robot.nv(), robot.nv());
  for (const SpringEntry& spring : robot.springs().joint)
    K(spring.row, spring.column) += spring.stiffness;
  const Matrix R = cholesky_factor(K(columns, columns));
  const Matrix half = solve_linear(R.transpose(), data.dtau_dq(columns, columns));
  Matrix A = solve_linear(R.transpose(), half.transpose());
  A = (0.5 * (A + A.transpose())).eval();
  const SymmetricEigensystem modes = symmetric_eigensystem(A);
  Eigen::Index least = 0;
  const double value = modes.values.minCoeff(&least);
  if (value > 0) return std::nullopt;
  Buckling result;
  result.carried = 1 / (1 - value);
  Vector shape = still;
  shape(columns) = solve_linear(R, modes.V.col(least));
  double most = -1;
  for (const Body& body : robot.tree().bodies) {
    if (body.beam < 0) continue;
    const auto own = shape.segment(body.v_begin, body.v_count);
    const double energy = own.dot(robot.tree().beams[body.beam].stiffness * own);
    if (energy > most) {
      most = energy;
      result.link = robot.tree().link_names[body.link];
    }
  }
  return result;
}

}  // namespace tauflex
