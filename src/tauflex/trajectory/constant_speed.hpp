// Motion at constant speed, for all time: drivers.
//   y(t) = from + speed t
#pragma once

#include "tauflex/base/errors.hpp"
#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class ConstantSpeedPath final : public OutputPath {
 public:
  // duration: s, of a task that follows it. Throws InputError.
  ConstantSpeedPath(const VectorRef& from, const VectorRef& speed, double duration)
      : from_(from), speed_(speed), duration_(duration) {
    if (from.size() != speed.size()) throw InputError("from and speed must have the same length");
  }

  int size() const override { return static_cast<int>(from_.size()); }
  double duration() const override { return duration_; }
  void derivatives(double t, MatrixOut y) const override {
    y.setZero();
    y.col(0) = from_ + speed_ * t;
    if (y.cols() > 1) y.col(1) = speed_;
  }
  std::vector<Corner> corners() const override { return {}; }

 private:
  Vector from_, speed_;
  double duration_;
};

}  // namespace tauflex
