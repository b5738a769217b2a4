#include "tauflex/trajectory/smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauflex/trajectory/b_splines.hpp"

namespace tauflex {

namespace {

// Splines on evenly spaced breakpoints whose first m derivatives vanish at both ends: the m + 1
// outermost coefficients of an end are one unknown, so that there are as many as breakpoints.
class RestSplines {
 public:
  RestSplines(double duration, int intervals, int smoothness)
      : m_(smoothness),
        count_(intervals + 1),
        breakpoints_(Vector::LinSpaced(count_, 0, duration)),
        knots_(knots_of(breakpoints_, degree())) {}

  int count() const { return count_; }
  int degree() const { return 2 * m_ + 1; }
  const Vector& breakpoints() const { return breakpoints_; }

  // What the unknowns first .. first + width - 1 contribute at t.
  struct Row {
    int first = 0, width = 0;
    std::array<double, largest_spline_degree + 1> values{};
  };
  void evaluate(double t, Row& row) const {
    const int l = interval_of(knots_, degree(), t);
    fill_basis(knots_, degree(), l, t, basis_);
    row.first = unknown(l - degree());
    row.width = unknown(l) - row.first + 1;
    row.values.fill(0);
    for (int i = 0; i <= degree(); ++i)
      row.values[unknown(l - degree() + i) - row.first] += basis_[degree()][i];
  }

 private:
  int unknown(int j) const { return std::clamp(j - m_, 0, count_ - 1); }

  int m_, count_;
  Vector breakpoints_, knots_;
  mutable BasisTriangle basis_;
};

SmoothedSamples fit(const VectorRef& times, const MatrixRef& samples, const RestSplines& splines) {
  const int n = splines.count(), half = splines.degree();
  Matrix band = Matrix::Zero(2 * half + 1, n), x = Matrix::Zero(samples.cols(), n);
  RestSplines::Row row;
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    splines.evaluate(times[i], row);
    for (int a = 0; a < row.width; ++a) {
      x.col(row.first + a) += row.values[a] * samples.row(i).transpose();
      for (int b = 0; b < row.width; ++b)
        band(half + b - a, row.first + a) += row.values[a] * row.values[b];
    }
  }
  solve_band(band, x);
  const auto value = [&](double t) {
    splines.evaluate(t, row);
    Vector y = Vector::Zero(x.rows());
    for (int a = 0; a < row.width; ++a) y += row.values[a] * x.col(row.first + a);
    return y;
  };
  SmoothedSamples result{splines.breakpoints(), Matrix(n, samples.cols()),
                         Vector::Zero(samples.cols()), Vector::Zero(samples.cols())};
  for (int k = 0; k < n; ++k) result.values.row(k) = value(result.times[k]).transpose();
  for (Eigen::Index i = 0; i < times.size(); ++i) {
    const Vector miss = (value(times[i]) - samples.row(i).transpose()).cwiseAbs();
    result.largest = result.largest.cwiseMax(miss);
    result.rms += miss.cwiseAbs2();
  }
  result.rms = (result.rms / static_cast<double>(times.size())).cwiseSqrt();
  return result;
}

// The sum of the logarithms, so that every output counts whatever its unit.
double cross_validation(const SmoothedSamples& fit, const MatrixRef& samples) {
  const auto n = static_cast<double>(samples.rows());
  const double free = n - static_cast<double>(fit.times.size());
  double sum = 0;
  for (Eigen::Index k = 0; k < fit.rms.size(); ++k) {
    const double extent = samples.col(k).maxCoeff() - samples.col(k).minCoeff();
    const double rounding = 1e-13 * (extent + samples.col(k).cwiseAbs().maxCoeff()) + 1e-300;
    sum += 2 * std::log((fit.rms[k] + rounding) * n / free);
  }
  return sum;
}

}  // namespace

std::optional<SmoothedSamples> smoothed(const VectorRef& times, const MatrixRef& samples,
                                        int smoothness, const std::optional<double>& tolerance) {
  const double duration = times[times.size() - 1];
  const auto most = static_cast<int>(times.size() / 2);
  std::optional<SmoothedSamples> best;
  double least = std::numeric_limits<double>::infinity();
  // a fifth more at a time
  for (int intervals = 1; intervals < most; intervals += std::max(1, intervals / 5)) {
    SmoothedSamples now = fit(times, samples, RestSplines(duration, intervals, smoothness));
    if (!now.values.allFinite()) break;  // too few samples in an interval
    if (tolerance) {
      if (now.largest.maxCoeff() <= *tolerance) return now;
      continue;
    }
    const double score = cross_validation(now, samples);
    if (score < least) {
      least = score;
      best = std::move(now);
    }
  }
  return best;
}

}  // namespace tauflex
