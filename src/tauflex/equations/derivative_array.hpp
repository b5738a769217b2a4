// F and its time derivatives along a series x(t + s) = sum_k X_k s^k, with exact Jacobians:
//   F(t + s) = sum_j F_j s^j          dF_j/dX_k = A_(j-k) + k B_(j-k+1)
// where A(s) and B(s) are the series of F_x and F_x'. Column j of F is the j-th derivative over j!.
//                                                                                    theory (A.5)
#pragma once

#include <vector>

#include "tauflex/equations/dae.hpp"

namespace tauflex {

class DerivativeArray {
 public:
  static constexpr int largest_order = Jet::capacity - 1;

  explicit DerivativeArray(Dae& dae);

  Dae& dae() const { return dae_; }
  int size() const { return n_; }

  // F_0 .. F_order; X has columns 0 .. order + 1, those that are left out are zero.
  void residual(double t, const Matrix& X, int order, Matrix& F);
  // A_0 .. A_order and B_0 .. B_order there; of these variables and rates only, when they are
  // given.
  void linearize(double t, const Matrix& X, int order);
  void linearize(double t, const Matrix& X, int order, const std::vector<int>& variables,
                 const std::vector<int>& rates);

  int order() const { return static_cast<int>(A_.size()) - 1; }  // of the last linearize()
  const Matrix& A(int k) const { return A_[k]; }
  const Matrix& B(int k) const { return B_[k]; }
  // dF_j/dX_k after linearize(), n x n; or the entry of one equation and one variable.
  void block(int j, int k, MatrixOut out) const;
  double entry(int j, int k, int equation, int variable) const {
    return (j >= k ? A(j - k)(equation, variable) : 0) +
           (k > 0 && j + 1 >= k ? k * B(j - k + 1)(equation, variable) : 0);
  }

 private:
  Dae& dae_;
  int n_;
  VectorOf<Jet> x_, xdot_, r_;
  VectorOf<JetOfDual> x_dual_, xdot_dual_, r_dual_;
  std::vector<int> all_;
  std::vector<Matrix> A_, B_;
};

}  // namespace tauflex
