#include "tauflex/math/newton_form.hpp"

namespace tauflex {

NewtonForm::NewtonForm(const std::vector<Point>& points) {
  Eigen::Index count = 0;
  for (const Point& point : points) count += point.series.cols();
  z_.resize(count);
  c_.resize(points.front().series.rows(), count);
  Matrix table(c_.rows(), count);
  std::vector<const Matrix*> from(count);
  Eigen::Index i = 0;
  for (const Point& point : points)
    for (Eigen::Index k = 0; k < point.series.cols(); ++k, ++i) {
      z_[i] = point.x;
      table.col(i) = point.series.col(0);
      from[i] = &point.series;
    }
  c_.col(0) = table.col(0);
  for (Eigen::Index k = 1; k < count; ++k) {
    for (i = 0; i + k < count; ++i)
      if (z_[i] == z_[i + k])
        table.col(i) = from[i]->col(k);
      else
        table.col(i) = (table.col(i + 1) - table.col(i)) / (z_[i + k] - z_[i]);
    c_.col(k) = table.col(0);
  }
}

void NewtonForm::series(double x, MatrixOut out) const {
  if (out.cols() == 1) {
    for (Eigen::Index i = 0; i < c_.rows(); ++i) {
      double value = 0;
      for (Eigen::Index k = z_.size() - 1; k >= 0; --k) value = value * (x - z_[k]) + c_(i, k);
      out(i, 0) = value;
    }
    return;
  }
  out.setZero();
  const Eigen::Index rows = c_.rows(), last = out.cols() - 1;
  for (Eigen::Index k = z_.size() - 1; k >= 0; --k) {
    const double s = x - z_[k];
    for (Eigen::Index i = 0; i < rows; ++i) {  // few rows and columns: plain loops are faster
      for (Eigen::Index j = last; j > 0; --j) out(i, j) = out(i, j) * s + out(i, j - 1);
      out(i, 0) = out(i, 0) * s + c_(i, k);
    }
  }
}

}  // namespace tauflex
