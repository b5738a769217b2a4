#include "tauflex/mechanics/drive_modes.hpp"

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

// With K = R^T R and R^-T D R^-1 = V diag(lag) V^T it is F = R^-1 V.
DriveModes::DriveModes(const Matrix& K, const Matrix& D) {
  const auto n = K.rows();
  shapes = inverse = Matrix::Zero(n, n);
  lag = Vector::Zero(n);
  if (n == 0) return;
  const Matrix R = cholesky_factor(K);
  shapes = R;
  lag.setConstant(R(0, 0));
  if (!R.allFinite()) return;
  const Matrix half = solve_linear(R.transpose(), D);
  const Matrix scaled = solve_linear(R.transpose(), half.transpose());
  const SymmetricEigensystem found = symmetric_eigensystem((scaled + scaled.transpose()) / 2);
  shapes = solve_linear(R, found.V);
  inverse = shapes.transpose() * K;
  // what rounding leaves of a zero
  const double rounding = 1e-14 * found.values[n - 1];
  lag = (found.values.array() > rounding).select(found.values, 0);
}

int DriveModes::shorter_than(double time) const {
  int count = 0;
  while (count < lag.size() && (lag[count] == 0 || lag[count] < time)) ++count;
  return count;
}

}  // namespace tauflex
