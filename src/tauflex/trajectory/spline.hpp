// The spline of degree 2m + 1 through given points at given times, at rest at both ends: its first
// m derivatives are zero there. Of all such curves it has the least
//   integral of |y^(m+1)|^2 dt                             (m = 3: minimum snap)
// It is C^2m at the points between and C^m with the holds. Held in B-splines,
//   y(t) = sum_j c_j N_j,2m+1(t),    y^(k)(t) = sum_j c^(k)_j N_j,2m+1-k(t)     [DeBoor1978, ch. X]
// which depend on ratios of times only, so that times need no scaling.
#pragma once

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class InterpolatingSpline final : public OutputPath {
 public:
  static constexpr int largest_smoothness = 6;

  // times: s, strictly increasing; the path starts at the first. points: one row per time.
  // smoothness: m. Throws InputError.
  InterpolatingSpline(const VectorRef& times, const MatrixRef& points, int smoothness);

  int size() const override { return static_cast<int>(first_.size()); }
  double duration() const override { return knots_[knots_.size() - 1]; }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;

 private:
  void interpolate(const MatrixRef& points);
  void differentiate();
  void check_points(const MatrixRef& points) const;

  int m_;
  Vector first_, last_;
  // s, from 0; both ends repeated 2m + 2 times
  Vector knots_;
  // [k]: c^(k) less the first point, one column per B-spline j; columns below k are not used
  std::vector<Matrix> coefficients_;
};

}  // namespace tauflex
