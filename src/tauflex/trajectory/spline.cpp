#include "tauflex/trajectory/spline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/b_splines.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

InterpolatingSpline::InterpolatingSpline(const VectorRef& times, const MatrixRef& points,
                                         int smoothness)
    : m_(smoothness) {
  if (m_ < 0 || m_ > largest_smoothness)
    throw InputError(fmt::format("smoothness must be 0 to {}, got {}", largest_smoothness, m_));
  const Eigen::Index n = times.size();
  if (n < 2) throw InputError(fmt::format("a spline needs at least 2 points, got {}", n));
  if (points.rows() != n || points.cols() == 0)
    throw InputError(fmt::format("a spline of {} times and {} points", n, points.rows()));
  if (!times.allFinite() || !points.allFinite())
    throw InputError("times and points of a spline must be finite");
  for (Eigen::Index i = 1; i < n; ++i)
    if (times[i] <= times[i - 1])
      throw InputError(
          fmt::format("times must increase, but {} follows {}", times[i], times[i - 1]));

  const int degree = 2 * m_ + 1;
  first_ = points.row(0);
  last_ = points.row(n - 1);
  knots_ = knots_of(times.array() - times[0], degree);
  interpolate(points);
  differentiate();
  check_points(points);
}

// The first m derivatives vanish at an end when its m + 1 outermost coefficients are equal. The
// n - 2 others follow from the points between.
void InterpolatingSpline::interpolate(const MatrixRef& points) {
  const int degree = 2 * m_ + 1, n = static_cast<int>(points.rows());
  Matrix& c = coefficients_.emplace_back(size(), n + 2 * m_);
  c.leftCols(m_ + 1).setZero();
  c.rightCols(m_ + 1).colwise() = last_ - first_;

  Matrix band = Matrix::Zero(2 * m_ + 1, n - 2);
  Matrix x = points.middleRows(1, n - 2).transpose().colwise() - first_;
  BasisTriangle N;
  for (int i = 1; i < n - 1; ++i) {
    fill_basis(knots_, degree, degree + i, knots_[degree + i], N);
    for (int j = i; j <= i + 2 * m_; ++j) {
      const int unknown = j - (m_ + 1);
      if (unknown < 0 || unknown >= n - 2)
        x.col(i - 1) -= N[degree][j - i] * c.col(j);
      else
        band(m_ + unknown - (i - 1), i - 1) = N[degree][j - i];
    }
  }
  solve_band(band, x);
  c.middleCols(m_ + 1, n - 2) = x;
}

// c^(k)_j = (degree + 1 - k) (c^(k-1)_j - c^(k-1)_{j-1}) / (t_{j+degree+1-k} - t_j)
void InterpolatingSpline::differentiate() {
  const int degree = 2 * m_ + 1, count = static_cast<int>(coefficients_[0].cols());
  for (int k = 1; k <= degree; ++k) {
    const Matrix& c = coefficients_[k - 1];
    Matrix d = Matrix::Zero(size(), count);
    for (int j = k; j < count; ++j)
      d.col(j) =
          (c.col(j) - c.col(j - 1)) * ((degree + 1 - k) / (knots_[j + degree + 1 - k] - knots_[j]));
    coefficients_.push_back(std::move(d));
  }
}

void InterpolatingSpline::check_points(const MatrixRef& points) const {
  const Vector extent = (points.colwise().maxCoeff() - points.colwise().minCoeff()).transpose();
  Vector y(size());
  for (int i = 1; i < points.rows() - 1; ++i) {
    derivatives(knots_[2 * m_ + 1 + i], y);
    const Vector miss = (y - points.row(i).transpose()).cwiseAbs();
    const Vector allowed = 1e-9 * (extent + points.row(i).transpose().cwiseAbs());
    if (!(miss.array() <= allowed.array()).all())
      throw InputError(fmt::format(
          "the times are too unequal for smoothness {}: the spline misses the {} point by {:.3g}",
          m_, ordinal(i + 1), miss.maxCoeff()));
  }
}

void InterpolatingSpline::derivatives(double t, MatrixOut y) const {
  y.setZero();
  if (t < 0 || t >= duration()) {
    y.col(0) = t < 0 ? first_ : last_;
    return;
  }
  const int degree = 2 * m_ + 1;
  const int l = interval_of(knots_, degree, t);
  BasisTriangle N;
  fill_basis(knots_, degree, l, t, N);
  for (int k = 0; k <= degree && k < y.cols(); ++k)
    for (int i = 0, d = degree - k; i <= d; ++i)
      y.col(k) += N[d][i] * coefficients_[k].col(l - d + i);
  y.col(0) += first_;
}

std::vector<Corner> InterpolatingSpline::corners() const {
  const int degree = 2 * m_ + 1, count = static_cast<int>(coefficients_[0].cols());
  const Matrix rest = Matrix::Zero(size(), degree + 1);
  Matrix start = rest, end = rest, before = rest, after = rest;
  Vector at_start(degree + 1), at_end(degree + 1);  // magnitudes on the first and last interval
  for (int k = 0; k <= degree; ++k) {
    start.col(k) = coefficients_[k].col(k);
    end.col(k) = coefficients_[k].col(count - 1);
    at_start[k] = coefficients_[k].middleCols(k, degree - k + 1).cwiseAbs().maxCoeff();
    at_end[k] = coefficients_[k].rightCols(degree - k + 1).cwiseAbs().maxCoeff();
  }

  std::vector<Corner> all;
  const auto add = [&all](const std::optional<Corner>& corner) {
    if (corner) all.push_back(*corner);
  };
  add(corner_between(0, rest, start, m_ + 1, at_start));
  Vector between(degree + 1);
  for (int l = degree + 1; l < count; ++l) {
    before.col(degree) = coefficients_[degree].col(l - 1);
    after.col(degree) = coefficients_[degree].col(l);
    between[degree] = coefficients_[degree].middleCols(l - 1, 2).cwiseAbs().maxCoeff();
    add(corner_between(knots_[l], before, after, degree, between));
  }
  add(corner_between(duration(), end, rest, m_ + 1, at_end));
  return all;
}

}  // namespace tauflex
