// Harmonic motion, for all time: drivers and moving bases.
//   y(t) = center + amplitude sin(2 pi frequency t + phase)
#pragma once

#include "tauflex/trajectory/output_path.hpp"

namespace tauflex {

class SinePath final : public OutputPath {
 public:
  // frequency: Hz. duration: s, of a task that follows it. Throws InputError.
  SinePath(const VectorRef& center, const VectorRef& amplitude, double frequency, double phase,
           double duration);

  int size() const override { return static_cast<int>(center_.size()); }
  double duration() const override { return duration_; }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override { return {}; }
  std::vector<double> pieces(double from, double to) const override;

 private:
  Vector center_, amplitude_;
  double omega_, phase_;  // rad/s, rad
  double duration_;
};

}  // namespace tauflex
