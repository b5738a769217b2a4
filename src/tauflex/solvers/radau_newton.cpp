#include "tauflex/solvers/radau_newton.hpp"

#include <cassert>

#include "tauflex/math/decompositions.hpp"

namespace tauflex {

namespace {

// A^-1 = T B T^-1 with B = diag(l, [a b; -b a], [c d; -d c]).
struct StageModes {
  double l, a, b, c, d;
  // T^-1 A^-1 and T.
  Matrix forth, back;
};

StageModes stage_modes() {
  const Matrix inverse = solve_linear(radau5().A, Matrix::Identity(radau_stages, radau_stages));
  const Eigensystem system = eigensystem(inverse);
  StageModes modes{};
  Matrix T(radau_stages, radau_stages);
  int pairs = 0;
  for (int k = 0; k < radau_stages; ++k) {
    const auto l = system.values[k];
    if (l.imag() < 0) continue;  // with its conjugate
    if (l.imag() == 0) {
      modes.l = l.real();
      T.col(0) = system.vectors.col(k).real();
      continue;
    }
    assert(pairs < 2);
    (pairs == 0 ? modes.a : modes.c) = l.real();
    (pairs == 0 ? modes.b : modes.d) = l.imag();
    T.col(1 + 2 * pairs) = system.vectors.col(k).real();
    T.col(2 + 2 * pairs) = system.vectors.col(k).imag();
    ++pairs;
  }
  modes.forth = solve_linear(T, inverse);
  modes.back = T;
  return modes;
}

const StageModes& modes_of_stages() {
  static const StageModes modes = stage_modes();
  return modes;
}

}  // namespace

RadauNewton::RadauNewton(int p)
    : p_(p), D_(Matrix::Zero(p, p)), M_(2 * p, 2 * p), W_(2 * p, radau_stages) {
  const StageModes& modes = modes_of_stages();
  part_[0] = {modes.l, 0, {}, Vector::Zero(p)};
  part_[1] = {modes.a, modes.b, {}, Vector::Zero(2 * p)};
  part_[2] = {modes.c, modes.d, {}, Vector::Zero(2 * p)};
}

void RadauNewton::compute(const MatrixRef& J, double h) {
  h_ = h;
  D_ = J.rightCols(p_);
  for (Part& part : part_) {
    const double x = part.real / h, y = part.imaginary / h;
    auto real = M_.topLeftCorner(p_, p_);
    real = -J.leftCols(p_) - x * D_;
    real.diagonal().array() += x * x - y * y;
    if (y == 0) {
      part.lu.compute(real);
      continue;
    }
    auto imaginary = M_.bottomLeftCorner(p_, p_);
    imaginary = -y * D_;
    imaginary.diagonal().array() += 2 * x * y;
    M_.topRightCorner(p_, p_) = -imaginary;
    M_.bottomRightCorner(p_, p_) = real;
    part.lu.compute(M_);
  }
}

// A pair of columns (w_1, w_2) of W stands for the complex w = w_1 - i w_2: with B = [a b; -b a]
// the rows of B W are those of (a + i b) w.
void RadauNewton::solve(MatrixOut R) {
  const StageModes& modes = modes_of_stages();
  W_.noalias() = R * modes.forth.transpose();
  W_ /= h_;
  for (int k = 0; k < parts; ++k) {
    Part& part = part_[k];
    const double x = part.real / h_, y = part.imaginary / h_;
    Vector& right = part.right;
    if (k == 0) {
      auto s = W_.col(0).head(p_), v = W_.col(0).tail(p_);
      right = v + x * s;
      right.noalias() -= D_ * s;
      part.lu.solve(right, right);
      v = x * right - s;
      s = right;
      continue;
    }
    auto s1 = W_.col(2 * k - 1).head(p_), v1 = W_.col(2 * k - 1).tail(p_);
    auto s2 = W_.col(2 * k).head(p_), v2 = W_.col(2 * k).tail(p_);
    // r_v + (l' - D) r_s with r = w_1 - i w_2
    right.head(p_) = v1 + x * s1 + y * s2;
    right.head(p_).noalias() -= D_ * s1;
    right.tail(p_) = -v2 - x * s2 + y * s1;
    right.tail(p_).noalias() += D_ * s2;
    part.lu.solve(right, right);
    const auto re = right.head(p_), im = right.tail(p_);
    v1 = x * re - y * im - s1;
    v2 = -(x * im + y * re) - s2;
    s1 = re;
    s2 = -im;
  }
  R.noalias() = W_ * modes.back.transpose();
}

}  // namespace tauflex
