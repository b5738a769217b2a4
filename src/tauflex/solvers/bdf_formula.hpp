// Backward differentiation with a fixed step: derivatives at t_i from the last k + 1 values.
//   x'(t_i) = (1/h) sum_l a_l x(t_i - l h)      [Moberg2009, eq. (35)]
// The motion starts at rest, so the values before the first time equal the first one.
#pragma once

#include <array>

#include "tauflex/base/linear_algebra.hpp"

namespace tauflex {

// a_0 .. a_k for order k = 1..6, and the extrapolation b_1 .. b_(k+1) that predicts x(t_i) as
// sum_l b_l x(t_i - l h), exact for polynomials of degree k.
struct BdfFormula {
  explicit BdfFormula(int order);
  int order;
  std::array<double, 8> a = {};
  std::array<double, 8> b = {};
};

// The last values of x, as many as a formula needs.
class BdfHistory {
 public:
  BdfHistory(int order, double h, const VectorRef& start);
  // From a motion that is not at rest: column l is its value l steps ago, order + 1 of them.
  static BdfHistory of_motion(int order, double h, const Matrix& values);

  // x' = lead() x + past()
  double lead() const { return formula_.a[0] / h_; }
  void past(VectorOut out) const;
  void predict(VectorOut out) const;
  // The step is done.
  void push(const VectorRef& x);

 private:
  // l steps ago
  auto value(int l) const { return values_.col((newest_ + l - 1) % values_.cols()); }

  BdfFormula formula_;
  double h_;
  Matrix values_;
  Eigen::Index newest_ = 0;
};

}  // namespace tauflex
