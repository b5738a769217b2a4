// How fast a way is run: sigma(t), the time at full speed, from rest to rest.
//   sigma' = level: 1 at full speed, less in sharp corners; it changes by smooth ramps
// A way is a row of stretches. Within one the level rises from that of its beginning to its own
// most, stays, and falls to that of its end; a stretch without ramps keeps one level. Each level is
// as high as what lies before and behind allows. theory (R.5)
#pragma once

#include <vector>

#include "tauflex/trajectory/smooth_ramp.hpp"

namespace tauflex {

struct Stretch {
  // s at full speed, not negative
  double length;
  // of sigma', up to 1
  double most;
  // s from rest to full speed; 0: the level does not change here
  double ramp;
};

class Pace {
 public:
  // smoothness: continuous derivatives of sigma', as that of SmoothRamp. At rest at both ends, so
  // the first and the last stretch have ramps.
  Pace(const std::vector<Stretch>& stretches, int smoothness);

  double duration() const { return duration_; }
  // sigma and its derivatives; 0 <= t <= duration.
  Jet operator()(double t, int order) const;
  // The first number at which sigma is reached.
  double time_of(double sigma) const;
  // When its pieces begin.
  std::vector<double> times() const;

 private:
  // The level goes from `from` to `to`.
  struct Piece {
    double begin, duration, sigma, from, to;
    double length() const { return duration * (from + to) / 2; }
  };
  void add(double duration, double from, double to);

  SmoothRamp ramp_;
  std::vector<Piece> pieces_;
  double duration_ = 0, length_ = 0;
};

}  // namespace tauflex
