#include "tauflex/trajectory/pace.hpp"

#include <algorithm>
#include <cmath>

namespace tauflex {

namespace {

// Levels between stretches: from there neither neighbour is too fast, nor too short to change it.
// A ramp from p to q takes ramp |q - p| and ramp |q^2 - p^2| / 2 of the way.
std::vector<double> levels(const std::vector<Stretch>& stretches) {
  const size_t n = stretches.size();
  std::vector<double> level(n + 1, 0);
  for (size_t i = 1; i < n; ++i) level[i] = std::min(stretches[i - 1].most, stretches[i].most);
  const auto reach = [](double from, double& to, const Stretch& between) {
    to = between.ramp > 0 ? std::min(to, std::sqrt(from * from + 2 * between.length / between.ramp))
                          : std::min(to, from);
  };
  for (size_t i = 0; i < n; ++i) reach(level[i], level[i + 1], stretches[i]);
  for (size_t i = n; i-- > 0;) reach(level[i + 1], level[i], stretches[i]);
  return level;
}

}  // namespace

Pace::Pace(const std::vector<Stretch>& stretches, int smoothness) : ramp_(smoothness) {
  const std::vector<double> level = levels(stretches);
  for (size_t i = 0; i < stretches.size(); ++i) {
    const auto [length, most, ramp] = stretches[i];
    const double a = level[i], b = level[i + 1];
    if (!(ramp > 0)) {
      add(length / a, a, a);
      continue;
    }
    // both ramps fill the stretch, unless its most is reached
    const double highest =
        std::max({a, b, std::min(most, std::sqrt((2 * length / ramp + a * a + b * b) / 2))});
    const double up = ramp * (highest - a), down = ramp * (highest - b),
                 left = length - up * (highest + a) / 2 - down * (highest + b) / 2;
    add(up, a, highest);
    if (left > 1e-15 * length) add(left / highest, highest, highest);
    add(down, highest, b);
  }
}

void Pace::add(double duration, double from, double to) {
  if (!(duration > 0)) return;
  pieces_.push_back({duration_, duration, length_, from, to});
  duration_ += duration;
  length_ += pieces_.back().length();
}

// A rising piece is counted from its beginning, a falling one from its end: at rest nothing is left
// of rounding.
Jet Pace::operator()(double t, int order) const {
  const auto next = std::upper_bound(pieces_.begin() + 1, pieces_.end(), t,
                                     [](double time, const Piece& p) { return time < p.begin; });
  const Piece& piece = *(next - 1);
  const double width = piece.duration, low = std::min(piece.from, piece.to),
               change = std::abs(piece.to - piece.from);
  const bool falls = piece.to < piece.from;
  const double since = falls ? piece.begin + width - t : t - piece.begin;
  const double x = std::clamp(since, 0.0, std::nextafter(width, 0.0));
  Jet sigma = Jet(change) * ramp_(x, width, order);
  sigma[0] += low * x;
  if (order > 0) sigma[1] += low;
  if (!falls) {
    sigma[0] += piece.sigma;
    return sigma;
  }
  for (int k = 0; k <= order; ++k) sigma[k] = k % 2 == 0 ? -sigma[k] : sigma[k];
  sigma[0] += piece.sigma + piece.length();
  return sigma;
}

double Pace::time_of(double wanted) const {
  double low = 0, high = duration_;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    ((*this)(middle, 0)[0] < wanted ? low : high) = middle;
  }
}

std::vector<double> Pace::times() const {
  std::vector<double> all;
  for (const Piece& piece : pieces_) all.push_back(piece.begin);
  all.push_back(duration_);
  return all;
}

}  // namespace tauflex
