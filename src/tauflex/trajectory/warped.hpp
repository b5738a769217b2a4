// A path with its time bent: the same way, faster here and slower there, in the same duration.
//   y(t) = path(tau(t)),   tau(t) = t + T sum_k c_k b_k(t / T),  k = 1, 2, ..       theory (R.4)
// with the bumps b_k of RestSeries, whose first six derivatives vanish at both ends.
#pragma once

#include <memory>

#include "tauflex/math/jet.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class WarpedPath final : public OutputPath {
 public:
  WarpedPath(std::shared_ptr<const OutputPath> path, const VectorRef& coefficients);

  // tau' > 0 everywhere: it never turns back.
  bool is_monotone() const;

  int size() const override { return path_->size(); }
  double duration() const override { return path_->duration(); }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;
  std::vector<double> pieces(double from, double to) const override;

 private:
  Jet tau(double t, int order) const;
  // At which tau is that.
  double time_of(double wanted) const;

  std::shared_ptr<const OutputPath> path_;
  Vector c_;
};

}  // namespace tauflex
