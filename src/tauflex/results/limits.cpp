#include "tauflex/results/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/results/stated_errors.hpp"

namespace tauflex {

namespace {

// The top of the parabola through samples i - 1, i, i + 1, the middle one the largest.
Extreme top_of_parabola(const Vector& t, const VectorRef& f, Eigen::Index i) {
  const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
  const double rise = (f[i] - f[i - 1]) / before, fall = (f[i + 1] - f[i]) / after;
  const double curvature = (fall - rise) / (before + after);  // half the second derivative
  const double slope = (rise * after + fall * before) / (before + after);
  if (!(curvature < 0)) return {t[i], f[i]};
  return {t[i] - slope / (2 * curvature), f[i] - slope * slope / (4 * curvature)};
}

Extreme largest_magnitude(const Vector& t, const VectorRef& f) {
  const Extreme high = highest(t, f), low = highest(t, -f);
  return high.value >= low.value ? high : Extreme{low.t, -low.value};
}

Extreme largest_sample(const Vector& t, const VectorRef& f) {
  Eigen::Index i = 0;
  if (f.size() > 0) f.cwiseAbs().maxCoeff(&i);
  return f.size() > 0 ? Extreme{t[i], f[i]} : Extreme{};
}

// Slope at x of the polynomial through samples first .. first + points - 1.
double slope_at(double x, const Vector& t, const VectorRef& f, Eigen::Index first,
                Eigen::Index points) {
  double slope = 0;
  for (Eigen::Index a = first; a < first + points; ++a) {
    double weight = 0;  // of f[a]: the derivative of its Lagrange polynomial
    for (Eigen::Index b = first; b < first + points; ++b) {
      if (b == a) continue;
      double term = 1 / (t[a] - t[b]);
      for (Eigen::Index c = first; c < first + points; ++c)
        if (c != a && c != b) term *= (x - t[c]) / (t[a] - t[c]);
      weight += term;
    }
    slope += weight * f[a];
  }
  return slope;
}

// The largest slope, from those halfway between samples and at both ends.
Extreme steepest(const Vector& t, const VectorRef& f) {
  const Eigen::Index n = t.size(), points = std::min<Eigen::Index>(4, n);
  if (n < 2) return {n > 0 ? t[0] : 0, 0};
  Vector at(n + 1), slope(n + 1);
  for (Eigen::Index i = 0; i <= n; ++i) {
    at[i] = i == 0 ? t[0] : i == n ? t[n - 1] : (t[i - 1] + t[i]) / 2;
    slope[i] = slope_at(at[i], t, f, std::clamp<Eigen::Index>(i - 2, 0, n - points), points);
  }
  return largest_magnitude(at, slope);
}

const char* word(LimitKind kind) {
  return kind == LimitKind::speed         ? "motor speed"
         : kind == LimitKind::torque_rate ? "torque rate"
                                          : "torque";
}

}  // namespace

Extreme highest(const Vector& t, const VectorRef& f) {
  Extreme found{t.size() > 0 ? t[0] : 0, f.size() > 0 ? f[0] : 0};
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    const bool is_peak = i > 0 && i + 1 < f.size() && f[i] >= f[i - 1] && f[i] >= f[i + 1];
    const Extreme here = is_peak ? top_of_parabola(t, f, i) : Extreme{t[i], f[i]};
    if (here.value > found.value) found = here;
  }
  return found;
}

DrivePeaks drive_peaks(const Robot& robot, const SentMotion& s, int drive) {
  const DriveLayout& layout = robot.actuation().drives[drive];
  const Vector u = s.u.row(drive), speed = layout.lever() * s.v.row(layout.row());
  return {s.held ? largest_sample(s.torque_t, u) : largest_magnitude(s.torque_t, u),
          steepest(s.torque_t, u), largest_magnitude(s.t, speed)};
}

namespace {

LimitMargin range_margin(const Robot& robot, const SentMotion& s, int coordinate) {
  const double low = robot.coordinates().lowest[coordinate],
               high = robot.coordinates().highest[coordinate];
  // a range that is open on one side, or a point, is measured in rad or m
  const double half = std::isfinite(high - low) && high > low ? (high - low) / 2 : 1;
  const Vector q = s.q.row(coordinate);
  const Extreme up = highest(s.t, q), down = highest(s.t, -q);
  const double above = (high - up.value) / half, below = (-down.value - low) / half;
  LimitMargin m{robot.coordinates().names[coordinate],
                LimitKind::range,
                up.t,
                up.value,
                high,
                above,
                robot.coordinates().is_angle[coordinate] ? "rad" : "m"};
  if (below < above) {
    m.t = down.t;
    m.value = -down.value;
    m.limit = low;
    m.margin = below;
  }
  return m;
}

}  // namespace

std::vector<LimitMargin> limit_margins(const Robot& robot, const SentMotion& s) {
  std::vector<LimitMargin> margins;
  if (s.t.size() == 0) return margins;
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d) {
    const Drive::Limits& limits = robot.actuation().drives[d].limits;
    if (std::isinf(limits.torque) && std::isinf(limits.torque_rate) && std::isinf(limits.speed))
      continue;
    const DrivePeaks peaks = drive_peaks(robot, s, static_cast<int>(d));
    const bool turns = robot.actuation().drives[d].motor_turns;
    const auto add = [&](LimitKind kind, const Extreme& peak, double limit, const char* unit) {
      if (std::isfinite(limit))
        margins.push_back({robot.actuation().names[d], kind, peak.t, peak.value, limit,
                           1 - std::abs(peak.value) / limit, unit});
    };
    add(LimitKind::torque, peaks.torque, limits.torque, turns ? "N m" : "N");
    add(LimitKind::torque_rate, peaks.torque_rate, limits.torque_rate, turns ? "N m/s" : "N/s");
    add(LimitKind::speed, peaks.speed, limits.speed, turns ? "rad/s" : "m/s");
  }
  for (int i = 0; i < robot.tree_nq(); ++i)
    if (std::isfinite(robot.coordinates().lowest[i]) ||
        std::isfinite(robot.coordinates().highest[i]))
      margins.push_back(range_margin(robot, s, i));
  return margins;
}

const LimitMargin* closest_limit(const std::vector<LimitMargin>& margins) {
  const auto found =
      std::min_element(margins.begin(), margins.end(),
                       [](const auto& a, const auto& b) { return a.margin < b.margin; });
  return found == margins.end() ? nullptr : &*found;
}

std::string doubt_about(const LimitMargin& m) {
  if (!(m.error_share > largest_known_share)) return "";
  return fmt::format(", but the torque may be off by {:.0f} %", 100 * m.error_share);
}

LimitState limit_state(const std::vector<LimitMargin>& margins) {
  if (margins.empty()) return LimitState::none_stated;
  const bool kept = std::all_of(margins.begin(), margins.end(),
                                [](const LimitMargin& m) { return m.margin >= 0; });
  return kept ? LimitState::kept : LimitState::exceeded;
}

std::string exceeded(const LimitMargin& m) {
  if (m.kind == LimitKind::range)
    return fmt::format("joint '{}' leaves its range: {:.6g} {} at t = {:.6g} s, beyond {:.6g}",
                       m.of, m.value, m.unit, m.t, m.limit);
  return fmt::format(
      "the {} of '{}' reaches {:.4g} {} at t = {:.6g} s, above its limit of {:.4g}{}", word(m.kind),
      m.of, std::abs(m.value), m.unit, m.t, m.limit, doubt_about(m));
}

}  // namespace tauflex
