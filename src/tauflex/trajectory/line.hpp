// A straight move from rest to rest.
//   y(t) = from + (to - from) s(t / duration)
#pragma once

#include "tauflex/trajectory/output_path.hpp"
#include "tauflex/trajectory/smoothstep.hpp"

namespace tauflex {

class LinePath final : public OutputPath {
 public:
  // degree: of s, odd. A line to where it starts is a hold. Throws InputError.
  LinePath(const VectorRef& from, const VectorRef& to, double duration, int degree);

  int size() const override { return static_cast<int>(from_.size()); }
  double duration() const override { return duration_; }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;

 private:
  Vector from_, to_;
  double duration_;  // s
  Smoothstep s_;
};

}  // namespace tauflex
