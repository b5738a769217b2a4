#include "tauflex/mechanics/stretch_series.hpp"

namespace tauflex {

StretchSeries::StretchSeries(const DriveTrain& train) : train_(train), modes_(train) {
  algebra_.resize(train.size() + 1);
  spring_ = beyond_ = solved_ = rest_ = Vector::Zero(train.size());
}

SpringEquations& StretchSeries::algebra(int following) {
  auto& equations = algebra_[following];
  if (!equations) {
    const Matrix F = modes_.shapes.leftCols(following);
    equations = std::make_unique<SpringEquations>(train_, Matrix::Identity(following, following), F,
                                                  F.transpose());
  }
  return *equations;
}

bool StretchSeries::compute(const Matrix& load, const StretchState& state) {
  const int m = state.following;
  const bool lags = m > 0 && modes_.lag[m - 1] > 0;
  const auto orders = load.cols(), corrections = lags ? state.more_load.cols() : 0;
  const auto all = orders + corrections;
  load_.resize(modes_.size(), all);
  load_.leftCols(orders).noalias() = modes_.shapes.transpose() * load;
  if (lags) load_.rightCols(corrections).noalias() = modes_.shapes.transpose() * state.more_load;
  right_ = load_;
  z_.setZero(modes_.size(), all + 1);
  d_.setZero(modes_.size(), all + 1);
  for (Eigen::Index done = 0; done <= corrections; ++done) {
    // less lag z' as the correction before found it; the first takes no lag at all
    for (Eigen::Index k = 0; done > 0 && k < all - done; ++k)
      for (int i = 0; i < m; ++i)
        right_(i, k) = load_(i, k) - modes_.lag[i] * static_cast<double>(k + 1) * z_(i, k + 1);
    if (!follow(state, all - done)) return false;
  }
  return true;
}

// beyond_ = F^T of coefficient k of beyond(d).
void StretchSeries::beyond_coefficient(Eigen::Index k) {
  for (int i = 0; i < train_.size(); ++i)
    spring_[i] = train_.beyond_coefficient(i, d_, static_cast<int>(k));
  beyond_.noalias() = modes_.shapes.transpose() * spring_;
}

// All modes to one order after the other: those that follow under right_, the others under load_.
bool StretchSeries::follow(const StretchState& state, Eigen::Index orders) {
  const Matrix& F = modes_.shapes;
  const Eigen::Index n = modes_.size(), m = state.following;
  z_.col(0).tail(n - m) = state.z.tail(n - m);
  if (train_.is_linear()) {
    z_.topLeftCorner(m, orders) = right_.topLeftCorner(m, orders);
    for (Eigen::Index k = 0; k < orders; ++k)
      for (Eigen::Index i = m; i < n; ++i)
        z_(i, k + 1) = (load_(i, k) - z_(i, k)) / (static_cast<double>(k + 1) * modes_.lag[i]);
    return true;
  }
  rest_.noalias() = F.rightCols(n - m) * z_.col(0).tail(n - m);
  SpringEquations& equations = algebra(state.following);
  if (!equations.solve(rest_, right_.col(0).head(m), solved_.head(m))) return false;
  z_.col(0).head(m) = solved_.head(m);
  d_.col(0).noalias() = F * z_.col(0);
  for (Eigen::Index k = 0; k < orders; ++k) {
    beyond_coefficient(k);
    for (Eigen::Index i = m; i < n; ++i)
      z_(i, k + 1) =
          (load_(i, k) - z_(i, k) - beyond_[i]) / (static_cast<double>(k + 1) * modes_.lag[i]);
    if (k + 1 == orders) break;
    // beyond is linear in the highest coefficient: what the others give, then the rest of it
    z_.col(k + 1).head(m).setZero();
    d_.col(k + 1).noalias() = F * z_.col(k + 1);
    beyond_coefficient(k + 1);
    solved_.head(m) = right_.col(k + 1).head(m) - beyond_.head(m);
    if (m > 0) equations.tangent().solve(solved_.head(m), solved_.head(m));
    z_.col(k + 1).head(m) = solved_.head(m);
    d_.col(k + 1).noalias() = F * z_.col(k + 1);
  }
  return true;
}

void StretchSeries::stretches(const StretchState& state, Matrix& out) const {
  out.noalias() = modes_.shapes * z_;
  const auto columns = std::min(state.transient.cols(), out.cols());
  if (columns > 0)
    out.leftCols(columns).noalias() += modes_.shapes * state.transient.leftCols(columns);
}

}  // namespace tauflex
