// A curve from rest to rest, free in between: a rest-to-rest polynomial and bumps.
//   y(t) = from + sum_k c_k b_k(t / duration)
//   b_0(x) = s(x),   b_k(x) = (4 x (1 - x))^7 P_{k-1}(2x - 1)       P_k: Legendre polynomials
// Its first six derivatives vanish at both ends.
#pragma once

#include <optional>

#include "tauflex/trajectory/output_path.hpp"
#include "tauflex/trajectory/smoothstep.hpp"

namespace tauflex {

class RestSeries final : public OutputPath {
 public:
  static constexpr int smoothness = 6;

  // coefficients: c_k in column k, one row per output.
  RestSeries(const VectorRef& from, const MatrixRef& coefficients, double duration);

  // b_k at t / duration with its time derivatives; 0 before, and its last value after.
  static Jet term(int k, double t, double duration, int order);

  int size() const override { return static_cast<int>(from_.size()); }
  double duration() const override { return duration_; }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;
  std::vector<double> pieces(double from, double to) const override;

 private:
  std::optional<Corner> corner_at(double t) const;

  Vector from_;
  Matrix c_;
  double duration_;  // s
};

}  // namespace tauflex
