// The linear equations of Newton's method in a step of s'' = f(t, s, s') by Radau collocation with
// five stages, without the matrix of all of them.
//   (1 - h A x J) Y = R,   J = (0 1; K D),   K = df/ds, D = df/ds'                  theory (P.14)
// With A^-1 = T diag(l) T^-1, one l real and two pairs conjugate, each l is a system of its own,
// and so are its two halves: with z = (s, v), l' = l/h
//   (l'^2 - l' D - K) s = r_v + (l' - D) r_s,   v = l' s - r_s
// so that matrices are of the size of s, where that of all stages is ten times as large.
#pragma once

#include "tauflex/math/lu.hpp"
#include "tauflex/solvers/collocation.hpp"

namespace tauflex {

class RadauNewton {
 public:
  // So many s.
  explicit RadauNewton(int p);

  // J: (K D), p x 2p; h: the step.
  void compute(const MatrixRef& J, double h);
  // R: one column (s, s') per stage; becomes Y.
  void solve(MatrixOut R);

 private:
  // Of one l, twice as large where it is complex: real and imaginary parts, one above the other.
  struct Part {
    double real, imaginary;
    Lu lu;
    Vector right;
  };
  static constexpr int parts = 3;

  int p_;
  double h_ = 0;
  Matrix D_, M_;
  Part part_[parts];
  // (2p) x stages, in the directions of T: the real one, then both parts of each pair
  Matrix W_;
};

}  // namespace tauflex
