#include "tauflex/trajectory/warped.hpp"

#include "tauflex/trajectory/rest_series.hpp"

namespace tauflex {

WarpedPath::WarpedPath(std::shared_ptr<const OutputPath> path, const VectorRef& coefficients)
    : path_(std::move(path)), c_(coefficients) {}

Jet WarpedPath::tau(double t, int order) const {
  Jet sum = Jet::time(t, order);
  for (int k = 0; k < c_.size(); ++k)
    sum += Jet(duration() * c_[k]) * RestSeries::term(k + 1, t, duration(), order);
  return sum;
}

bool WarpedPath::is_monotone() const {
  constexpr int points = 400;
  for (int i = 1; i < points; ++i)
    if (!(tau(duration() * i / points, 1)[1] > 0)) return false;
  return true;
}

// With the Taylor coefficients a_k of the path at tau(t) and d = tau(t + s) - tau(t):
//   y(t + s) = a_0 + d (a_1 + d (a_2 + ..))
void WarpedPath::derivatives(double t, MatrixOut y) const {
  if (t < 0 || t >= duration()) {
    path_->derivatives(t, y);
    return;
  }
  const int order = static_cast<int>(y.cols()) - 1;
  Jet d = tau(t, order);
  path_->derivatives(d[0], y);
  if (order == 0) return;
  d[0] = 0;
  for (int i = 0; i < size(); ++i) {
    double factorial = 1;
    for (int k = 2; k <= order; ++k) factorial *= k;
    Jet sum = Jet::zero(order);
    for (int k = order; k >= 0; --k) {
      sum *= d;
      sum[0] += y(i, k) / factorial;
      if (k > 0) factorial /= k;
    }
    for (int k = 0; k <= order; ++k) y(i, k) = sum.derivative(k);
  }
}

double WarpedPath::time_of(double wanted) const {
  if (wanted <= 0 || wanted >= duration()) return wanted;
  double low = 0, high = duration();
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (tau(middle, 0)[0] < wanted ? low : high) = middle;
  }
  return high;
}

std::vector<Corner> WarpedPath::corners() const {
  std::vector<Corner> all = path_->corners();
  for (Corner& corner : all) corner.time = time_of(corner.time);
  return all;
}

std::vector<double> WarpedPath::pieces(double from, double to) const {
  const auto tau_of = [&](double t) { return t > 0 && t < duration() ? tau(t, 0)[0] : t; };
  std::vector<double> all = path_->pieces(tau_of(from), tau_of(to));
  for (double& t : all) t = time_of(t);
  all.front() = from;
  all.back() = to;
  return all;
}

}  // namespace tauflex
