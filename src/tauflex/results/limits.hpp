// How close a motion comes to what drives and joints allow, holds included.
//   margin = 1 - |value| / limit            of torque, torque rate and speed, motor side
//   margin = distance to the nearest end / half the range           of a joint
// 1 is unused, 0 is reached, below 0 is exceeded. Values are those of the smooth curve through the
// samples: peaks between samples count.                                              theory (R.1)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tauflex/model/robot.hpp"
#include "tauflex/problem/solution.hpp"

namespace tauflex {

enum class LimitKind { torque, torque_rate, speed, range };

constexpr std::string_view name(LimitKind kind) {
  switch (kind) {
    case LimitKind::torque:
      return "torque";
    case LimitKind::torque_rate:
      return "torque_rate";
    case LimitKind::speed:
      return "speed";
    case LimitKind::range:
      return "range";
  }
  return "torque";
}

struct Extreme {
  double t = 0, value = 0;
};

// The largest value of a curve by its samples: the top of the parabola through the largest sample
// and its neighbours.
Extreme highest(const Vector& t, const VectorRef& samples);

// A motion and the torques that are sent to the motors for it, each at its own times. Refers to
// them.
struct SentMotion {
  const Vector& t;
  const Matrix& q;
  const Matrix& v;
  const Vector& torque_t;
  const Matrix& u;
  // Each torque stays until the next one: it is never larger than in its samples.
  bool held = false;

  // NOLINTNEXTLINE(google-explicit-constructor): the solution itself is sent
  SentMotion(const Solution& s) : SentMotion(s.t, s.q, s.v, s.t, s.u, false) {}
  SentMotion(const Vector& t_, const Matrix& q_, const Matrix& v_, const Vector& torque_t_,
             const Matrix& u_, bool held_)
      : t(t_), q(q_), v(v_), torque_t(torque_t_), u(u_), held(held_) {}
};

// Largest magnitudes of one drive over the whole solution, motor side, with their signs.
struct DrivePeaks {
  Extreme torque;  // N m or N
  // per second; of the cubic through four samples
  Extreme torque_rate;
  Extreme speed;  // rad/s or m/s
};
DrivePeaks drive_peaks(const Robot& robot, const SentMotion& sent, int drive);

struct LimitMargin {
  // The drive or the coordinate.
  std::string of;
  LimitKind kind = LimitKind::torque;
  // s, where it comes closest
  double t = 0;
  // There, with its sign.
  double value = 0;
  // Of a range: the nearest end.
  double limit = 0;
  double margin = 0;
  // Of value and limit.
  std::string unit = {};
};

// Every limit that the robot states, drives first.
std::vector<LimitMargin> limit_margins(const Robot& robot, const SentMotion& sent);

// The one with the least margin; null when there are none.
const LimitMargin* closest_limit(const std::vector<LimitMargin>& margins);

// Whether they are kept: the second verdict of a run, besides its accuracy.
enum class LimitState { none_stated, kept, exceeded };
constexpr std::string_view name(LimitState state) {
  return state == LimitState::none_stated ? "none stated"
         : state == LimitState::kept      ? "kept"
                                          : "exceeded";
}
LimitState limit_state(const std::vector<LimitMargin>& margins);

// "the torque of 'upper' reaches 6.1e+04 N m at t = 0.12 s, above its limit of 6e+04"
std::string exceeded(const LimitMargin& margin);

}  // namespace tauflex
