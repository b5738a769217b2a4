#include "tauflex/solvers/bdf_formula.hpp"

#include <cassert>

namespace tauflex {

namespace {

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

// From backward differences D: h x' = sum_{j=1}^k D^j x / j, and D^(k+1) x = 0 for the prediction.
BdfFormula::BdfFormula(int k) : order(k) {
  assert(k >= 1 && k <= 6);
  for (int j = 1; j <= k; ++j)
    for (int l = 0; l <= j; ++l) a[l] += (l % 2 ? -1 : 1) * binomial(j, l) / j;
  for (int l = 1; l <= k + 1; ++l) b[l] = (l % 2 ? 1 : -1) * binomial(k + 1, l);
}

BdfHistory::BdfHistory(int order, double h, const VectorRef& start)
    : formula_(order), h_(h), values_(start.replicate(1, order + 1)) {}

BdfHistory BdfHistory::of_motion(int order, double h, const Matrix& values) {
  assert(values.cols() == order + 1);
  BdfHistory history(order, h, values.col(0));
  history.values_ = values;
  return history;
}

void BdfHistory::past(VectorOut out) const {
  out.setZero();
  for (int l = 1; l <= formula_.order; ++l) out += (formula_.a[l] / h_) * value(l);
}

void BdfHistory::predict(VectorOut out) const {
  out.setZero();
  for (int l = 1; l <= formula_.order + 1; ++l) out += formula_.b[l] * value(l);
}

void BdfHistory::push(const VectorRef& x) {
  newest_ = (newest_ + values_.cols() - 1) % values_.cols();
  values_.col(newest_) = x;
}

}  // namespace tauflex
