#include "tauflex/report/decimation.hpp"

#include <algorithm>
#include <array>

namespace tauflex {

std::vector<Eigen::Index> decimated(const Vector& x, const Vector& y, int most) {
  const Eigen::Index n = std::min(x.size(), y.size());
  std::vector<Eigen::Index> drawable;
  bool is_graph = true;  // x never turns back: its extremes are the first and the last point
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!is_drawable(x[i]) || !is_drawable(y[i])) continue;
    if (!drawable.empty() && x[i] < x[drawable.back()]) is_graph = false;
    drawable.push_back(i);
  }
  const auto count = static_cast<Eigen::Index>(drawable.size());
  if (count <= most) return drawable;
  const Eigen::Index buckets = std::max(1, most / (is_graph ? 4 : 6));
  std::vector<Eigen::Index> kept;
  for (Eigen::Index b = 0; b < buckets; ++b) {
    const auto begin = drawable.begin() + b * count / buckets,
               end = drawable.begin() + (b + 1) * count / buckets;
    const auto by_x = std::minmax_element(begin, end, [&](auto i, auto j) { return x[i] < x[j]; });
    const auto by_y = std::minmax_element(begin, end, [&](auto i, auto j) { return y[i] < y[j]; });
    std::array chosen = {begin, end - 1, by_x.first, by_x.second, by_y.first, by_y.second};
    if (is_graph) chosen[2] = chosen[3] = begin;
    std::sort(chosen.begin(), chosen.end());
    const auto last = std::unique(chosen.begin(), chosen.end());
    for (auto c = chosen.begin(); c != last; ++c) kept.push_back(**c);
  }
  return kept;
}

}  // namespace tauflex
