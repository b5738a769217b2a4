#include "tauflex/studies/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tauflex {

namespace {

constexpr double normal_95 = 1.959963984540054;  // standard deviations of 95 % of a normal

// From 1; equal numbers share their mean.
std::vector<double> ranks(const std::vector<double>& x) {
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return x[i] < x[j]; });
  std::vector<double> rank(x.size());
  for (size_t i = 0; i < order.size();) {
    size_t end = i + 1;
    while (end < order.size() && x[order[end]] == x[order[i]]) ++end;
    for (size_t k = i; k < end; ++k) rank[order[k]] = 0.5 * static_cast<double>(i + end + 1);
    i = end;
  }
  return rank;
}

}  // namespace

void RunningMoments::add(double x) {
  if (x < least_) {
    least_ = x;
    place_of_least_ = count_;
  }
  if (x > most_) {
    most_ = x;
    place_of_most_ = count_;
  }
  const double before = x - mean_;
  mean_ += before / static_cast<double>(++count_);
  squares_ += before * (x - mean_);
}

double RunningMoments::variance() const {
  return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
}

double RunningMoments::deviation() const { return std::sqrt(variance()); }

double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

Interval wilson_interval(long kept, long count) {
  if (count == 0) return {0, 1};
  const double n = static_cast<double>(count), p = static_cast<double>(kept) / n;
  const double z2 = normal_95 * normal_95;
  const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = normal_95 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return {kept == 0 ? 0 : middle - half, kept == count ? 1 : middle + half};
}

double rank_correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> a = ranks(x), b = ranks(y);
  const double middle = 0.5 * static_cast<double>(x.size() + 1);
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - middle) * (b[i] - middle);
    aa += (a[i] - middle) * (a[i] - middle);
    bb += (b[i] - middle) * (b[i] - middle);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

namespace {

// Where bins of runs begin, in the order of x, and where the last ends.
std::vector<size_t> bin_edges(const std::vector<double>& x, const std::vector<size_t>& order) {
  constexpr size_t most_bins = 50;
  const size_t n = order.size();
  std::vector<size_t> edges = {0};
  for (size_t i = 1; i < n && edges.size() <= most_bins; ++i)
    if (x[order[i]] != x[order[i - 1]]) edges.push_back(i);
  if (edges.size() > most_bins || 2 * edges.size() > n) {  // hardly any values are equal
    const size_t bins = std::clamp<size_t>(static_cast<size_t>(std::cbrt(2.0 * n)), 2, most_bins);
    edges.clear();
    for (size_t k = 0; k < bins; ++k) edges.push_back(k * n / bins);
    if (n < 4 * bins) return {};
  }
  edges.push_back(n);
  return edges;
}

}  // namespace

std::optional<double> variance_share(const std::vector<double>& x, const std::vector<double>& y) {
  const size_t n = x.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t i, size_t j) { return x[i] < x[j] || (x[i] == x[j] && i < j); });
  const std::vector<size_t> edges = bin_edges(x, order);
  if (edges.empty()) return std::nullopt;
  RunningMoments all;
  double within = 0;
  for (size_t k = 0; k + 1 < edges.size(); ++k) {
    RunningMoments bin;
    for (size_t i = edges[k]; i < edges[k + 1]; ++i) bin.add(y[order[i]]);
    within += bin.variance() * static_cast<double>(bin.count() - 1);
  }
  for (const double value : y) all.add(value);
  if (!(all.variance() > 0)) return 0;
  return 1 - within / static_cast<double>(n + 1 - edges.size()) / all.variance();
}

Interval rank_correlation_interval(double correlation, long count) {
  if (count < 4) return {-1, 1};
  const double z = std::atanh(std::clamp(correlation, -1 + 1e-15, 1 - 1e-15));
  // the variance of Spearman's is 1.06 / (n - 3) after the transformation
  const double half = normal_95 * std::sqrt(1.06 / static_cast<double>(count - 3));
  return {std::tanh(z - half), std::tanh(z + half)};
}

}  // namespace tauflex
