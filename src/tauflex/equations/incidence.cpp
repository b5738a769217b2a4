#include "tauflex/equations/incidence.hpp"

#include <cmath>
#include <random>

namespace tauflex {

const RateRow* Incidence::rate_of(int variable) const {
  for (const RateRow& row : rates)
    if (row.variable == variable) return &row;
  return nullptr;
}

const RateRow* Incidence::rate_row(int equation) const {
  for (const RateRow& row : rates)
    if (row.equation == equation) return &row;
  return nullptr;
}

namespace {

// The only column where a row has this value and nothing else anywhere; -1 when there is none.
int only_entry(const Matrix& rows, Eigen::Index i, double value) {
  Eigen::Index column = 0;
  const auto row = rows.row(i);
  if ((row.array() != 0).count() != 1) return -1;
  row.cwiseAbs().maxCoeff(&column);
  return row[column] == value ? static_cast<int>(column) : -1;
}

}  // namespace

Incidence find_incidence(Dae& dae, double t, const Vector& x) {
  const int n = dae.size();
  constexpr double rounding = 1e-11;  // of the largest entry of a row
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  Incidence result;
  result.orders.setConstant(n, n, -1);
  std::vector<bool> is_rate(n, true);
  std::vector<RateRow> rates(n, RateRow{-1, -1, -1});
  Matrix F_x = Matrix::Zero(n, n), F_xdot = F_x;
  Vector point(n), rate(n), r(n);
  for (int probe = 0; probe < 3; ++probe) {
    for (int j = 0; j < n; ++j) {
      point[j] = x[j] + 0.3 * (1 + std::abs(x[j])) * number(random);
      rate[j] = number(random);
    }
    dae.jacobians(t, point, rate, F_x, F_xdot);
    dae.residual(t, point, rate, r);
    for (int i = 0; i < n; ++i) {
      const double size = F_x.row(i).cwiseAbs().maxCoeff();
      const double rate_size = F_xdot.row(i).cwiseAbs().maxCoeff();
      for (int j = 0; j < n; ++j) {
        int& order = result.orders(i, j);
        if (std::abs(F_x(i, j)) > rounding * size) order = std::max(order, 0);
        if (std::abs(F_xdot(i, j)) > rounding * rate_size) order = 1;
      }
      const int variable = only_entry(F_xdot, i, 1), rate_of = only_entry(F_x, i, -1);
      RateRow& row = rates[i];
      const bool same = probe == 0 || (row.variable == variable && row.rate == rate_of);
      if (variable < 0 || rate_of < 0 || variable == rate_of || !same ||
          std::abs(r[i] - (rate[variable] - point[rate_of])) > 1e-12 * (1 + std::abs(r[i])))
        is_rate[i] = false;
      row = {i, variable, rate_of};
    }
  }
  for (int i = 0; i < n; ++i)
    if (is_rate[i] && !result.rate_of(rates[i].variable)) result.rates.push_back(rates[i]);
  return result;
}

}  // namespace tauflex
