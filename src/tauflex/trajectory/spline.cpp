#include "tauflex/trajectory/spline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

namespace {

constexpr int most_splines = 2 * InterpolatingSpline::largest_smoothness + 2;

// Row d holds the d + 1 B-splines of degree d that live on [knots[l], knots[l+1]), N_{l-d} .. N_l:
//   N_j,d = (t - t_j) / (t_{j+d} - t_j) N_j,d-1 + (t_{j+d+1} - t) / (t_{j+d+1} - t_{j+1}) N_j+1,d-1
using BasisTriangle = std::array<std::array<double, most_splines>, most_splines>;

void fill_basis(const Vector& knots, int degree, int l, double t, BasisTriangle& N) {
  N[0][0] = 1;
  for (int d = 1; d <= degree; ++d) {
    N[d][0] = 0;
    for (int i = 0; i < d; ++i) {  // N_{j+1,d-1} gives to N_j and N_{j+1}
      const int j = l - d + i;
      const double share = N[d - 1][i] / (knots[j + d + 1] - knots[j + 1]);
      N[d][i] += (knots[j + d + 1] - t) * share;
      N[d][i + 1] = (t - knots[j + 1]) * share;
    }
  }
}

// Solves A x = b with 2m + 1 diagonals, band(m + j - i, i) = A(i, j), one column of x per row of A.
// Elimination needs no pivoting: the matrix is totally positive [DeBoor1978, ch. XIII].
void solve_band(Matrix& band, Matrix& x) {
  const Eigen::Index m = band.rows() / 2, n = band.cols();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index row = i + 1; row <= std::min(i + m, n - 1); ++row) {
      const double factor = band(m + i - row, row) / band(m, i);
      for (Eigen::Index j = 1; j <= m; ++j) band(m + i + j - row, row) -= factor * band(m + j, i);
      x.col(row) -= factor * x.col(i);
    }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index j = i + 1; j <= std::min(i + m, n - 1); ++j)
      x.col(i) -= band(m + j - i, i) * x.col(j);
    x.col(i) /= band(m, i);
  }
}

}  // namespace

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
  knots_.resize(n + 2 * degree);
  knots_.segment(degree, n) = times.array() - times[0];
  knots_.head(degree).setZero();
  knots_.tail(degree).setConstant(knots_[degree + n - 1]);
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
  const auto inner_begin = knots_.begin() + degree + 1, inner_end = knots_.end() - degree - 1;
  const int l = static_cast<int>(std::upper_bound(inner_begin, inner_end, t) - knots_.begin()) - 1;
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
