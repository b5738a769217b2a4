// An arc from rest to rest, in the plane of two outputs (turning from the first towards the second)
// or in space about an axis (right-handed).
//   y(t) = center + R(angle s(t / duration)) (from - center)
#pragma once

#include <optional>

#include "tauflex/trajectory/output_path.hpp"
#include "tauflex/trajectory/smoothstep.hpp"

namespace tauflex {

class CirclePath final : public OutputPath {
 public:
  // angle: rad, the whole turn. degree: of s, odd. normal: with three outputs only, any length.
  // Throws InputError.
  CirclePath(const VectorRef& from, const VectorRef& center, double angle, double duration,
             int degree, const std::optional<Vector3>& normal = std::nullopt);

  int size() const override { return static_cast<int>(start_.point.size()); }
  double duration() const override { return duration_; }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;
  std::vector<double> pieces(double from, double to) const override;

 private:
  struct End {
    Vector point;
    // Point - center.
    Vector radius;
    // Radius turned by a right angle.
    Vector tangent;
  };
  End start_, end_;
  double angle_;     // rad
  double duration_;  // s
  Smoothstep s_;
};

}  // namespace tauflex
