#include "tauflex/trajectory/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauflex/base/errors.hpp"
#include "tauflex/math/jet.hpp"
#include "tauflex/trajectory/smoothness.hpp"

namespace tauflex {

namespace {

double just_before(double t) { return std::nextafter(t, 0.0); }

}  // namespace

Vector position(const OutputPath& path, double t) {
  Vector y(path.size());
  path.derivatives(t, y);
  return y;
}

std::optional<Gap> gap_between(const OutputPath& first, const OutputPath& second) {
  const Vector end = position(first, first.duration()), start = position(second, 0);
  int output = 0;
  const Vector miss =
      (start - end).array().abs() / start.array().abs().max(end.array().abs()).max(1);
  if (miss.maxCoeff(&output) <= 1e-9) return std::nullopt;
  return Gap{output, end[output], start[output]};
}

SequencePath::SequencePath(std::vector<std::shared_ptr<const OutputPath>> segments)
    : segments_(std::move(segments)), times_{0} {
  if (segments_.empty()) throw InputError("a sequence needs at least one segment");
  for (const auto& segment : segments_) times_.push_back(times_.back() + segment->duration());
  for (size_t i = 1; i < segments_.size(); ++i) {
    if (segments_[i]->size() != segments_[i - 1]->size())
      throw InputError(fmt::format("segment {} has {} outputs, segment {} has {}", i,
                                   segments_[i - 1]->size(), i + 1, segments_[i]->size()));
    if (const auto gap = gap_between(*segments_[i - 1], *segments_[i]))
      throw InputError(fmt::format(
          "segment {} ends at {:.10g} but segment {} starts at {:.10g} in output {}: a gap of "
          "{:.6g}",
          i, gap->end, i + 1, gap->start, gap->output + 1, std::abs(gap->start - gap->end)));
  }
}

void SequencePath::derivatives(double t, MatrixOut y) const {
  const auto inner_end = times_.end() - 1;
  const size_t i = std::upper_bound(times_.begin() + 1, inner_end, t) - times_.begin() - 1;
  const OutputPath& segment = *segments_[i];
  // times_ are rounded sums: stay on the side of the segment's end that t is on
  const double local = t >= duration() ? segment.duration()
                       : t >= 0        ? std::min(t - times_[i], just_before(segment.duration()))
                                       : t;
  segment.derivatives(local, y);
}

std::optional<Corner> SequencePath::junction(size_t next) const {
  const OutputPath &first = *segments_[next - 1], &second = *segments_[next];
  int lowest = Jet::capacity;  // both sides are at rest below it; no path gives more derivatives
  for (const Corner& corner : first.corners())
    if (corner.time == first.duration()) lowest = std::min(lowest, corner.derivative);
  for (const Corner& corner : second.corners())
    if (corner.time == 0) lowest = std::min(lowest, corner.derivative);
  Matrix before(size(), Jet::capacity), after(size(), Jet::capacity);
  first.derivatives(just_before(first.duration()), before);
  second.derivatives(0, after);
  const Vector magnitude =
      before.cwiseAbs().cwiseMax(after.cwiseAbs()).colwise().maxCoeff().transpose();
  return corner_between(times_[next], before, after, lowest, magnitude);
}

std::vector<Corner> SequencePath::corners() const {
  std::vector<Corner> all;
  for (size_t i = 0; i < segments_.size(); ++i) {
    if (i > 0)
      if (const auto corner = junction(i)) all.push_back(*corner);
    for (Corner corner : segments_[i]->corners()) {
      const bool at_start = corner.time == 0, at_end = corner.time == segments_[i]->duration();
      if ((at_start && i > 0) || (at_end && i + 1 < segments_.size())) continue;
      corner.time = at_end ? times_[i + 1] : times_[i] + corner.time;
      all.push_back(corner);
    }
  }
  return all;
}

std::vector<double> SequencePath::pieces(double from, double to) const {
  std::vector<double> all = {from};
  const auto add = [&](double t) {
    if (t > all.back() && t < to) all.push_back(t);
  };
  for (size_t i = 0; i < segments_.size(); ++i)
    for (const double t : segments_[i]->pieces(0, segments_[i]->duration()))
      add(t == segments_[i]->duration() ? times_[i + 1] : times_[i] + t);
  if (to > from) all.push_back(to);
  return all;
}

}  // namespace tauflex
