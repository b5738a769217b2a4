// Law: transversals and offsets against all permutations and all offsets of small matrices, left
// over rows against all subsets, components against the reachability of every pair.
#include "tauflex/math/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/random.hpp"

namespace tauflex {
namespace {

Eigen::MatrixXi random_entries(Random& random, int n, int highest, double density) {
  Eigen::MatrixXi sigma(n, n);
  for (int& entry : sigma.reshaped())
    entry = random.chance(density) ? random.below(highest + 1) : absent;
  return sigma;
}

// The largest sum over all permutations without an absent entry, or absent.
int highest_value(const Eigen::MatrixXi& sigma) {
  const int n = static_cast<int>(sigma.rows());
  std::vector<int> column(n);
  std::iota(column.begin(), column.end(), 0);
  int best = absent;
  do {
    int value = 0;
    bool complete = true;
    for (int i = 0; i < n; ++i) {
      complete = complete && sigma(i, column[i]) >= 0;
      value += sigma(i, column[i]);
    }
    if (complete) best = std::max(best, value);
  } while (std::next_permutation(column.begin(), column.end()));
  return best;
}

// sum d - sum c with the smallest d for c: not less than the value of any transversal, and equal
// only for valid offsets.
int dual_value(const Eigen::MatrixXi& sigma, const std::vector<int>& c) {
  int value = -std::accumulate(c.begin(), c.end(), 0);
  for (int j = 0; j < sigma.cols(); ++j) {
    int d = 0;
    for (int i = 0; i < sigma.rows(); ++i)
      if (sigma(i, j) >= 0) d = std::max(d, sigma(i, j) + c[i]);
    value += d;
  }
  return value;
}

// Valid offsets are closed under the smaller of two, so c is the smallest when no other one below
// it is valid: all of them are tried.
int valid_offsets_up_to(const Eigen::MatrixXi& sigma, int value, const std::vector<int>& c) {
  int count = 0;
  std::vector<int> trial(c.size(), 0);
  for (size_t i = 0; i < c.size();) {
    if (i == 0 && dual_value(sigma, trial) == value) ++count;
    if (trial[i] < c[i]) {
      ++trial[i];
      i = 0;
    } else {
      trial[i++] = 0;
    }
  }
  return count;
}

// Whether k rows have entries in k - 1 columns, and any fewer of them, m, in at least m.
bool is_minimal_surplus(const Eigen::MatrixXi& sigma, const std::vector<int>& rows) {
  const int k = static_cast<int>(rows.size());
  for (int subset = 1; subset < 1 << k; ++subset) {
    int size = 0, columns = 0;
    for (int m = 0; m < k; ++m) size += subset >> m & 1;
    for (int j = 0; j < sigma.cols(); ++j) {
      bool entry = false;
      for (int m = 0; m < k; ++m) entry = entry || ((subset >> m & 1) && sigma(rows[m], j) >= 0);
      columns += entry;
    }
    if (size < k ? columns < size : columns != k - 1) return false;
  }
  return k > 0;
}

void expect_laws(const Eigen::MatrixXi& sigma) {
  const int n = static_cast<int>(sigma.rows());
  const Transversal t = highest_value_transversal(sigma);
  ASSERT_TRUE(t.perfect);
  std::vector<bool> taken(n, false);
  int value = 0;
  for (int i = 0; i < n; ++i) {
    const int j = t.column_of[i];
    ASSERT_FALSE(taken[j]);
    taken[j] = true;
    ASSERT_GE(sigma(i, j), 0);
    EXPECT_EQ(t.column_offsets[j] - t.row_offsets[i], sigma(i, j));
    value += sigma(i, j);
  }
  EXPECT_EQ(t.value, value);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      EXPECT_TRUE(sigma(i, j) < 0 || t.column_offsets[j] - t.row_offsets[i] >= sigma(i, j));
    }
  }
  EXPECT_EQ(*std::min_element(t.row_offsets.begin(), t.row_offsets.end()), 0);
}

TEST(Transversal, IsTheBestOfAllPermutationsWithTheSmallestOffsets) {
  Random random(1);
  int perfect = 0, with_offsets = 0;
  for (int k = 0; k < 4000; ++k) {
    const int n = 1 + k % 6;
    const Eigen::MatrixXi sigma = random_entries(random, n, 1 + k % 3, random.uniform(0.2, 1));
    const Transversal t = highest_value_transversal(sigma);
    const int best = highest_value(sigma);
    ASSERT_EQ(t.perfect, best >= 0) << sigma;
    if (!t.perfect) continue;
    ++perfect;
    EXPECT_EQ(t.value, best) << sigma;
    expect_laws(sigma);
    EXPECT_EQ(valid_offsets_up_to(sigma, best, t.row_offsets), 1) << sigma;
    with_offsets += *std::max_element(t.row_offsets.begin(), t.row_offsets.end()) > 1;
  }
  EXPECT_GT(perfect, 1000);  // the cases are not all of one kind
  EXPECT_LT(perfect, 3000);
  EXPECT_GT(with_offsets, 300);
}

TEST(Transversal, NamesAMinimalSurplusWhenThereIsNone) {
  Random random(2);
  int several = 0, small = 0;
  for (int k = 0; k < 4000; ++k) {
    const int n = 1 + k % 6;
    const Eigen::MatrixXi sigma = random_entries(random, n, 1, random.uniform(0.1, 0.6));
    const Transversal t = highest_value_transversal(sigma);
    if (t.perfect) {
      EXPECT_TRUE(t.surplus_rows.empty() && t.surplus_columns.empty());
      continue;
    }
    EXPECT_TRUE(is_minimal_surplus(sigma, t.surplus_rows)) << sigma;
    EXPECT_TRUE(is_minimal_surplus(sigma.transpose(), t.surplus_columns)) << sigma;
    EXPECT_TRUE(std::is_sorted(t.surplus_rows.begin(), t.surplus_rows.end()));
    EXPECT_TRUE(std::is_sorted(t.surplus_columns.begin(), t.surplus_columns.end()));
    several += t.surplus_rows.size() > 2;
    small += t.surplus_rows.size() == 1;
  }
  EXPECT_GT(several, 200);
  EXPECT_GT(small, 200);
}

TEST(Transversal, LeavesOverAsFewRowsAsPossible) {
  // rows 0, 1, 2 share column 3; row 3 has column 0
  Eigen::MatrixXi sigma = Eigen::MatrixXi::Constant(4, 4, absent);
  sigma(0, 3) = sigma(1, 3) = sigma(2, 3) = sigma(3, 0) = 0;
  const Transversal t = highest_value_transversal(sigma);
  EXPECT_FALSE(t.perfect);
  EXPECT_EQ(std::count(t.column_of.begin(), t.column_of.end(), absent), 2);
  EXPECT_EQ(t.column_of[3], 0);
  EXPECT_EQ(t.surplus_rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(t.surplus_columns, (std::vector<int>{1}));  // in no row at all
}

TEST(Transversal, OfLargerMatricesHasOffsetsThatProveIt) {
  Random random(3);
  for (int k = 0; k < 60; ++k) {
    const int n = 20 + k;
    Eigen::MatrixXi sigma = random_entries(random, n, 4, 3.0 / n);
    for (int i = 0; i < n; ++i) sigma(i, (i + k) % n) = 0;  // one transversal for sure
    expect_laws(sigma);
  }
}

TEST(Transversal, OfNothing) {
  const Transversal t = highest_value_transversal(Eigen::MatrixXi(0, 0));
  EXPECT_TRUE(t.perfect);
  EXPECT_EQ(t.value, 0);
}

TEST(Components, AreThePairsThatReachEachOtherInTopologicalOrder) {
  Random random(4);
  int several = 0;
  for (int k = 0; k < 1000; ++k) {
    const int n = 1 + k % 10;
    Graph graph(n);
    Eigen::MatrixXi reaches = Eigen::MatrixXi::Identity(n, n);
    const double density = random.uniform(0, 3.0 / n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (!random.chance(density)) continue;
        graph[i].push_back(j);
        reaches(i, j) = 1;
      }
    }
    for (int m = 0; m < n; ++m)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) reaches(i, j) |= reaches(i, m) & reaches(m, j);

    const auto components = strongly_connected_components(graph);
    std::vector<int> place(n, absent);
    for (size_t m = 0; m < components.size(); ++m) {
      EXPECT_TRUE(std::is_sorted(components[m].begin(), components[m].end()));
      for (const int node : components[m]) {
        EXPECT_EQ(place[node], absent);  // in one component only
        place[node] = static_cast<int>(m);
      }
    }
    for (int i = 0; i < n; ++i) {
      ASSERT_NE(place[i], absent);
      for (int j = 0; j < n; ++j) {
        EXPECT_EQ(place[i] == place[j], reaches(i, j) && reaches(j, i));
        EXPECT_TRUE(!reaches(i, j) || place[i] <= place[j]);
      }
    }
    several += components.size() > 1 && static_cast<int>(components.size()) < n;
  }
  EXPECT_GT(several, 200);
}

TEST(Components, OfLongPaths) {  // a recursion of this depth would end the program
  const int n = 200000;
  Graph graph(n);
  for (int i = 0; i + 1 < n; ++i) graph[i] = {i + 1};
  EXPECT_EQ(strongly_connected_components(graph).size(), static_cast<size_t>(n));
  graph[n - 1] = {0};
  EXPECT_EQ(strongly_connected_components(graph).size(), 1u);
}

}  // namespace
}  // namespace tauflex
