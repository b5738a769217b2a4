// What a column of numbers says: mean, deviation, quantiles, shares with their confidence, and how
// strongly it follows another column.
#pragma once

#include <limits>
#include <optional>
#include <vector>

namespace tauflex {

// Mean and variance of numbers that come one by one, without cancellation (Welford).
class RunningMoments {
 public:
  void add(double x);
  long count() const { return count_; }
  double mean() const { return mean_; }
  // Of the sample, over n - 1; 0 for fewer than two numbers.
  double variance() const;
  double deviation() const;
  double least() const { return least_; }
  double most() const { return most_; }
  // Which of the added numbers were these, from 0.
  long place_of_least() const { return place_of_least_; }
  long place_of_most() const { return place_of_most_; }

 private:
  long count_ = 0;
  double mean_ = 0, squares_ = 0;
  double least_ = std::numeric_limits<double>::infinity(),
         most_ = -std::numeric_limits<double>::infinity();
  long place_of_least_ = -1, place_of_most_ = -1;
};

// The quantile of sorted numbers, linear between neighbours: 0 is the least, 1 the largest.
double quantile_of(const std::vector<double>& sorted, double share);

struct Interval {
  double low = 0, high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
};

// Where the share of a whole lies with 95 % confidence when `kept` of `count` were counted
// [Wilson1927].
Interval wilson_interval(long kept, long count);

// Spearman's rank correlation, -1 .. 1: 0 where one of them is constant. Equal numbers share their
// mean rank.
double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);
// Where that of all possible runs lies with 95 % confidence, by Fisher's transformation.
Interval rank_correlation_interval(double correlation, long count);

// The share of the variance of y that x alone explains, whatever the shape of the dependence: by
// the means of y in bins of x, without the bias that bins have: one bin for each value where there
// are few, as in a grid, else equally many runs in each. Where x explains nothing it is about 0, of
// either sign. None where there are too few runs for bins.
std::optional<double> variance_share(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace tauflex
