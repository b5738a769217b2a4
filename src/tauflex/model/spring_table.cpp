#include "tauflex/model/spring_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauflex {

namespace {

// Stiffness k and its slope at a point; the curvature is 0 at all points.
struct Knot {
  double d, torque, k, slope;
};

// Between two points k(s) = sum c[k] s^k takes their stiffness and slopes, no curvature, and adds
// up to the torque between them: the terms of a quintic, and a bump 140 s^3 (1 - s)^3.
std::array<double, 7> stiffness_between(const Knot& a, const Knot& b) {
  const double h = b.d - a.d, m0 = h * a.slope, m1 = h * b.slope, rise = b.k - a.k;
  std::array<double, 7> c = {a.k,
                             m0,
                             0,
                             10 * rise - 6 * m0 - 4 * m1,
                             -15 * rise + 8 * m0 + 7 * m1,
                             6 * rise - 3 * m0 - 3 * m1,
                             0};
  const double missing = (b.torque - a.torque) / h - (a.k + b.k) / 2 - (m0 - m1) / 10;
  for (const auto& [power, factor] :
       {std::pair(3, 140.0), std::pair(4, -420.0), std::pair(5, 420.0), std::pair(6, -140.0)})
    c[power] += factor * missing;
  return c;
}

// Whether the stiffness stays above a quarter of what it is at the softer end.
bool stays_stiff(const Knot& a, const Knot& b) {
  const std::array<double, 7> c = stiffness_between(a, b);
  for (int i = 1; i < 32; ++i) {
    const double s = i / 32.0;
    double k = 0;
    for (size_t j = c.size(); j-- > 0;) k = k * s + c[j];
    if (k < 0.25 * std::min(a.k, b.k)) return false;
  }
  return true;
}

// Stiffness and slope of the parabola through a point and its neighbours. The stiffness is at most
// 3/2 of what it is on average on either side: with slopes 0 every interval stays stiff then, and
// slopes are made smaller until all do.
std::vector<Knot> knots_of(const std::vector<SpringPoint>& points) {
  const size_t n = points.size();
  std::vector<Knot> knots;
  for (const SpringPoint& p : points) knots.push_back({p.stretch, p.torque, 0, 0});
  const auto width = [&](size_t i) { return knots[i + 1].d - knots[i].d; };
  const auto secant = [&](size_t i) { return (knots[i + 1].torque - knots[i].torque) / width(i); };
  for (size_t i = 1; i + 1 < n; ++i) {
    const double left = secant(i - 1), right = secant(i), both = width(i - 1) + width(i);
    knots[i].k =
        std::min((width(i) * left + width(i - 1) * right) / both, 1.5 * std::min(left, right));
    knots[i].slope = 2 * (right - left) / both;
  }
  const auto end_stiffness = [&](size_t last, size_t before) {  // intervals
    const double k = secant(last);
    const double more = (k - secant(before)) * width(last) / (width(last) + width(before));
    return std::clamp(k + more, 0.5 * k, 1.5 * k);
  };
  knots[0].k = n > 2 ? end_stiffness(0, 1) : secant(0);
  knots[n - 1].k = n > 2 ? end_stiffness(n - 2, n - 3) : secant(0);

  for (int round = 0; round <= 20; ++round) {
    std::vector<bool> soft(n, false);
    for (size_t i = 0; i + 1 < n; ++i)
      if (!stays_stiff(knots[i], knots[i + 1])) soft[i] = soft[i + 1] = true;
    for (size_t i = 0; i < n; ++i)
      if (soft[i]) knots[i].slope = round < 20 ? knots[i].slope / 2 : 0;
  }
  return knots;
}

}  // namespace

std::optional<std::string> spring_table_fault(const std::vector<SpringPoint>& points) {
  if (points.size() < 2)
    return fmt::format("a table needs at least 2 points, got {}", points.size());
  bool has_zero = false;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto& [d, torque] = points[i];
    if (!std::isfinite(d) || !std::isfinite(torque))
      return fmt::format("the points must be finite, got [{}, {}]", d, torque);
    has_zero = has_zero || (d == 0 && torque == 0);
    if (i == 0) continue;
    const SpringPoint& before = points[i - 1];
    if (!(d > before.stretch && torque > before.torque))
      return fmt::format("stretch and torque must increase, but [{}, {}] follows [{}, {}]", d,
                         torque, before.stretch, before.torque);
  }
  if (!has_zero) return "the point [0, 0] is missing: a spring at rest gives no torque";
  return std::nullopt;
}

SpringTable::SpringTable(std::vector<SpringPoint> points) {
  if (points.front().stretch == 0)  // odd: the mirrored points come first
    for (size_t i = 1, n = points.size(); i < n; ++i) {
      const SpringPoint& mirrored = points[2 * i - 1];
      points.insert(points.begin(), {-mirrored.stretch, -mirrored.torque});
    }
  const std::vector<Knot> knots = knots_of(points);
  const auto rest =
      std::find_if(knots.begin(), knots.end(), [](const Knot& k) { return k.d == 0; });
  K_ = rest->k;

  const auto straight = [&](const Knot& knot) {
    return Piece{knot.d, 1, {knot.torque - K_ * knot.d, knot.k - K_, 0, 0, 0, 0, 0, 0}, 0};
  };
  pieces_.push_back(straight(knots.front()));
  for (size_t i = 0; i + 1 < knots.size(); ++i) {
    const std::array<double, 7> k = stiffness_between(knots[i], knots[i + 1]);
    Piece piece = straight(knots[i]);
    piece.length = knots[i + 1].d - knots[i].d;
    for (size_t j = 0; j < k.size(); ++j)
      piece.c[j + 1] = piece.length * (k[j] - (j == 0 ? K_ : 0)) / static_cast<double>(j + 1);
    pieces_.push_back(piece);
  }
  pieces_.push_back(straight(knots.back()));

  // Energies from 0 at rest, where piece r + 1 begins, in both directions.
  const auto work = [](const Piece& piece) {  // over its length
    double sum = 0;
    for (size_t k = 0; k < piece.c.size(); ++k) sum += piece.c[k] / static_cast<double>(k + 1);
    return piece.length * sum;
  };
  const size_t r = static_cast<size_t>(rest - knots.begin()) + 1;
  for (size_t i = r + 1; i < pieces_.size(); ++i)
    pieces_[i].energy = pieces_[i - 1].energy + work(pieces_[i - 1]);
  for (size_t i = r; i-- > 1;) pieces_[i].energy = pieces_[i + 1].energy - work(pieces_[i]);
  pieces_[0].energy = pieces_[1].energy;  // both begin at the first point
}

const SpringTable::Piece& SpringTable::piece(double d) const {
  const auto after =
      std::upper_bound(pieces_.begin() + 1, pieces_.end(), d,
                       [](double value, const Piece& piece) { return value < piece.begin; });
  return *(after - 1);
}

}  // namespace tauflex
