// A way along straight pieces with blended corners, from rest to rest.
//   y(t) = c(sigma(t))
//   c(sigma) = P + v1 x + (v2 - v1) R(x + b),   x = sigma - (that of the corner P),  |x| <= b
//   sigma(t), the time at full speed: pace.hpp; R of smooth_ramp.hpp
// c runs with the velocity v1 towards the corner and with v2 away from it; in between c' is
// (1 - s) v1 + s v2, never faster than the faster of both. theory (R.5)
#pragma once

#include <optional>

#include "tauflex/trajectory/output_path.hpp"
#include "tauflex/trajectory/pace.hpp"

namespace tauflex {

// What the way is. Times are those at full speed.
struct BlendedWay {
  // One row per point, one column per output.
  Matrix points;
  // s from each point to the next, more than 0.
  Vector times;
  // s before and after each point that is blended; 0 at both ends. Where it is 0 in between, the
  // velocity does not change.
  Vector blends;
  // Acceleration of each blend at full speed, as a share of what is allowed; above 1 it is passed
  // more slowly.
  Vector demands;
  // s until full speed is reached with the acceleration that is allowed.
  double ramp;
  // Continuous derivatives of y.
  int smoothness;
};

class BlendedPath final : public OutputPath {
 public:
  static constexpr int largest_smoothness = 12;

  // Throws InputError.
  explicit BlendedPath(BlendedWay way);

  int size() const override { return static_cast<int>(way_.points.cols()); }
  double duration() const override { return pace_->duration(); }
  void derivatives(double t, MatrixOut y) const override;
  std::vector<Corner> corners() const override;

 private:
  // A stretch of c: straight towards point `point`, or the blend there.
  struct Piece {
    // When it begins, s.
    double begin;
    int point;
    bool is_blend;
  };

  std::vector<Stretch> stretches() const;
  Stretch stretch_between(double begin, double end, Eigen::Index first, Eigen::Index last) const;
  bool is_free(Eigen::Index i) const;
  void add_piece(double sigma, int point, bool is_blend);

  BlendedWay way_;
  SmoothRamp ramp_;
  // sigma of each point, s
  Vector at_;
  // dc/dsigma towards each point, from the one before; column 0 is not used.
  Matrix velocities_;
  std::optional<Pace> pace_;
  std::vector<Piece> pieces_;
};

}  // namespace tauflex
