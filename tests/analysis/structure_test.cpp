// Closed form: systems whose structure is known. Law: two algorithms give the same offsets, the
// blocks are triangular and cannot be split.
#include "tauflex/analysis/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/random.hpp"
#include "tauflex/math/matching.hpp"

namespace tauflex {
namespace {

constexpr int no = absent;

Signature random_signature(Random& random, int n, int highest, double density) {
  Signature sigma(n, n);
  for (int& entry : sigma.reshaped())
    entry = random.chance(density) ? random.below(highest + 1) : absent;
  return sigma;
}

// Entries that hold the highest derivatives.
bool leads(const Signature& sigma, const Structure& s, int i, int j) {
  return sigma(i, j) >= 0 && s.variable_offsets[j] - s.equation_offsets[i] == sigma(i, j);
}

// Whether any m equations of a block, but not all, hold more than m of its highest derivatives:
// otherwise these m could be solved first.
bool is_irreducible(const Signature& sigma, const Structure& s, const Block& block) {
  const int size = static_cast<int>(block.equations.size());
  for (int subset = 1; subset < (1 << size) - 1; ++subset) {
    int equations = 0, variables = 0;
    for (int m = 0; m < size; ++m) equations += subset >> m & 1;
    for (const int j : block.variables) {
      bool held = false;
      for (int m = 0; m < size; ++m)
        held = held || ((subset >> m & 1) && leads(sigma, s, block.equations[m], j));
      variables += held;
    }
    if (variables <= equations) return false;
  }
  return true;
}

void expect_triangular(const Signature& sigma, const Structure& s) {
  const int n = static_cast<int>(sigma.rows());
  std::vector<int> block_of_equation(n, absent), block_of_variable(n, absent);
  for (size_t b = 0; b < s.blocks.size(); ++b) {
    const Block& block = s.blocks[b];
    ASSERT_EQ(block.equations.size(), block.variables.size());
    for (size_t k = 0; k < block.equations.size(); ++k) {
      EXPECT_EQ(s.variable_of[block.equations[k]], block.variables[k]);
      EXPECT_TRUE(leads(sigma, s, block.equations[k], block.variables[k]));
      EXPECT_EQ(block_of_equation[block.equations[k]], absent);
      block_of_equation[block.equations[k]] = static_cast<int>(b);
      block_of_variable[block.variables[k]] = static_cast<int>(b);
    }
  }
  for (int i = 0; i < n; ++i) {
    ASSERT_NE(block_of_equation[i], absent);
    for (int j = 0; j < n; ++j)
      EXPECT_TRUE(!leads(sigma, s, i, j) || block_of_variable[j] <= block_of_equation[i]);
  }
}

TEST(Structure, OfAnOrdinaryDifferentialEquation) {  // x' = f(x, y), y' = g(x, y)
  Signature sigma(2, 2);
  sigma << 1, 0,  //
      0, 1;
  const Structure s = analyze_structure(sigma);
  EXPECT_EQ(s.index, 0);
  EXPECT_EQ(s.degrees_of_freedom, 2);
  EXPECT_EQ(s.blocks.size(), 2u);
}

TEST(Structure, OfAnAlgebraicSystem) {  // 0 = f(x, y), 0 = g(y)
  Signature sigma(2, 2);
  sigma << 0, 0,  //
      no, 0;
  const Structure s = analyze_structure(sigma);
  EXPECT_EQ(s.index, 1);
  EXPECT_EQ(s.degrees_of_freedom, 0);
  ASSERT_EQ(s.blocks.size(), 2u);
  EXPECT_EQ(s.blocks[0].equations, (std::vector<int>{1}));  // y first
  EXPECT_EQ(s.blocks[0].variables, (std::vector<int>{1}));
  EXPECT_EQ(s.blocks[1].equations, (std::vector<int>{0}));
}

TEST(Structure, OfThePendulum) {
  Signature sigma(5, 5);
  // x, y, u, v, lambda
  sigma << 1, no, 0, no, no,  // x' = u
      no, 1, no, 0, no,       // y' = v
      0, no, 1, no, 0,        // u' = -lambda x
      no, 0, no, 1, 0,        // v' = -lambda y - g
      0, 0, no, no, no;       // x^2 + y^2 = 1
  const Structure s = analyze_structure(sigma);
  EXPECT_TRUE(s.regular);
  EXPECT_EQ(s.index, 3);
  EXPECT_EQ(s.degrees_of_freedom, 2);
  EXPECT_EQ(s.equation_offsets, (std::vector<int>{1, 1, 0, 0, 2}));
  EXPECT_EQ(s.variable_offsets, (std::vector<int>{2, 2, 1, 1, 0}));
  EXPECT_EQ(pantelides(sigma), s.equation_offsets);
  EXPECT_EQ(s.blocks.size(), 1u);  // x'', y'', u', v' and lambda hang together
}

TEST(Structure, OfThePendulumInSecondOrderForm) {  // as in Pryce's papers
  Signature sigma(3, 3);
  sigma << 2, no, 0,  // x'' = -lambda x
      no, 2, 0,       // y'' = -lambda y - g
      0, 0, no;       // x^2 + y^2 = 1
  const Structure s = analyze_structure(sigma);
  EXPECT_EQ(s.index, 3);
  EXPECT_EQ(s.degrees_of_freedom, 2);
  EXPECT_EQ(s.equation_offsets, (std::vector<int>{0, 0, 2}));
  EXPECT_EQ(s.variable_offsets, (std::vector<int>{2, 2, 0}));
}

TEST(Structure, OfTwoJointsOfWhichOneFollows) {
  Signature sigma(4, 4);
  // q1, q2, v1, v2
  sigma << no, 0, 1, 1,  // v1', v2', q2, v2
      1, no, 0, no,      // q1' = v1
      no, 1, no, 0,      // q2' = v2
      0, 0, no, no;      // g(q1, q2) = 0
  const Structure s = analyze_structure(sigma);
  EXPECT_EQ(s.index, 2);
  EXPECT_EQ(s.degrees_of_freedom, 2);
  EXPECT_EQ(s.equation_offsets, (std::vector<int>{0, 1, 1, 2}));
  EXPECT_EQ(pantelides(sigma), s.equation_offsets);
}

TEST(Structure, OfBlocksOneAfterTheOther) {
  Signature sigma(4, 4);
  // a, b, c, d
  sigma << 1, no, 0, 1,  // a' = d' + c
      no, 0, 0, no,      // 0 = b + c
      no, 0, 0, no,      // 0 = b - c
      no, 0, no, 1;      // d' = b
  const Structure s = analyze_structure(sigma);
  ASSERT_EQ(s.blocks.size(), 3u);
  EXPECT_EQ(s.blocks[0].equations, (std::vector<int>{1, 2}));
  EXPECT_EQ(s.blocks[1].equations, (std::vector<int>{3}));
  EXPECT_EQ(s.blocks[2].equations, (std::vector<int>{0}));
  EXPECT_EQ(s.index, 1);
  EXPECT_EQ(s.degrees_of_freedom, 2);
}

TEST(Structure, NamesTwoOutputsOfTheSameUnknown) {
  Signature sigma(4, 4);
  // q, v, u, w
  sigma << 1, 0, no, no,  // q' = v
      0, 1, 0, 0,         // v' = -q + u + w
      0, no, no, no,      // q = y1(t)
      0, no, no, no;      // q = y2(t)
  const Structure s = analyze_structure(sigma);
  EXPECT_FALSE(s.regular);
  EXPECT_EQ(s.overdetermined_equations, (std::vector<int>{2, 3}));
  EXPECT_EQ(s.underdetermined_variables, (std::vector<int>{2, 3}));  // u + w only
  EXPECT_EQ(std::count(s.variable_of.begin(), s.variable_of.end(), absent), 1);
  EXPECT_TRUE(s.blocks.empty());
  EXPECT_TRUE(pantelides(sigma).empty());
}

TEST(Structure, NamesAnUnknownThatOccursNowhere) {
  Signature sigma(3, 3);
  sigma << 1, no, 0,  // x' = z
      0, no, 0,       // 0 = f(x, z)
      0, no, 1;       // z' = x
  const Structure s = analyze_structure(sigma);
  EXPECT_FALSE(s.regular);
  EXPECT_EQ(s.overdetermined_equations, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(s.underdetermined_variables, (std::vector<int>{1}));
  EXPECT_TRUE(pantelides(sigma).empty());
}

TEST(Structure, OfNothing) {
  const Structure s = analyze_structure(Signature(0, 0));
  EXPECT_TRUE(s.regular);
  EXPECT_EQ(s.index, 0);
  EXPECT_TRUE(s.blocks.empty());
  EXPECT_TRUE(pantelides(Signature(0, 0)).empty());
}

TEST(Structure, HasTheOffsetsOfPantelides) {
  Random random(1);
  int regular = 0, high = 0;
  for (int k = 0; k < 20000; ++k) {
    const int n = 1 + k % 9, highest = k % 4 == 3 ? 3 : 1;  // most of first order
    const Signature sigma = random_signature(random, n, highest, random.uniform(0.2, 0.8));
    const Structure s = analyze_structure(sigma);
    if (!s.regular) {
      EXPECT_TRUE(pantelides(sigma).empty());
      continue;
    }
    ASSERT_EQ(pantelides(sigma), s.equation_offsets) << sigma;
    ++regular;
    high += s.index > 2;
  }
  EXPECT_GT(regular, 5000);  // the cases are not all of one kind
  EXPECT_GT(high, 500);
}

TEST(Structure, HasIrreducibleTriangularBlocks) {
  Random random(2);
  int split = 0, large = 0;
  for (int k = 0; k < 4000; ++k) {
    const int n = 1 + k % 7;
    const Signature sigma = random_signature(random, n, k % 3, random.uniform(0.2, 0.8));
    const Structure s = analyze_structure(sigma);
    if (!s.regular) continue;
    const auto& c = s.equation_offsets;
    const auto& d = s.variable_offsets;
    EXPECT_EQ(s.degrees_of_freedom,
              std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0));
    expect_triangular(sigma, s);
    for (const Block& block : s.blocks) {
      EXPECT_TRUE(is_irreducible(sigma, s, block)) << sigma;
      large += block.equations.size() > 2;
    }
    split += s.blocks.size() > 1;
  }
  EXPECT_GT(split, 500);
  EXPECT_GT(large, 300);
}

TEST(Structure, DoesNotDependOnTheOrderOfEquationsAndUnknowns) {
  Random random(3);
  for (int k = 0; k < 500; ++k) {
    const int n = 2 + k % 7;
    const Signature sigma = random_signature(random, n, 2, 0.5);
    std::vector<int> row(n), column(n);
    std::iota(row.begin(), row.end(), 0);
    std::iota(column.begin(), column.end(), 0);
    for (int i = n - 1; i > 0; --i) {
      std::swap(row[i], row[random.below(i + 1)]);
      std::swap(column[i], column[random.below(i + 1)]);
    }
    const Structure s = analyze_structure(sigma), p = analyze_structure(sigma(row, column));
    ASSERT_EQ(s.regular, p.regular);
    if (!s.regular) continue;
    EXPECT_EQ(s.index, p.index);
    EXPECT_EQ(s.degrees_of_freedom, p.degrees_of_freedom);
    EXPECT_EQ(s.blocks.size(), p.blocks.size());
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(p.equation_offsets[i], s.equation_offsets[row[i]]);
      EXPECT_EQ(p.variable_offsets[i], s.variable_offsets[column[i]]);
    }
  }
}

// x_1' = x_0, x_2' = x_1, ..., 0 = x_(n-1): every unknown is a derivative of the last.
TEST(Structure, OfAChainHasItsLengthAsIndex) {
  for (const int n : {1, 2, 5, 400}) {
    Signature sigma = Signature::Constant(n, n, absent);
    for (int i = 0; i < n; ++i) {
      sigma(i, i) = 0;
      if (i + 1 < n) sigma(i, i + 1) = 1;
    }
    const Structure s = analyze_structure(sigma);
    EXPECT_EQ(s.index, n);
    EXPECT_EQ(s.degrees_of_freedom, 0);
    EXPECT_EQ(s.blocks.size(), static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) ASSERT_EQ(s.equation_offsets[i], i);
    ASSERT_EQ(pantelides(sigma), s.equation_offsets);
  }
}

TEST(Structure, OfALargeSparseSystem) {
  Random random(4);
  const int n = 400;
  Signature sigma = random_signature(random, n, 1, 3.0 / n);
  for (int i = 0; i < n; ++i) sigma(i, 7 * i % n) = i % 2;  // 7 and 400 have no common factor
  const Structure s = analyze_structure(sigma);
  const std::vector<int> c = pantelides(sigma);
  ASSERT_TRUE(s.regular);
  EXPECT_EQ(c, s.equation_offsets);
  expect_triangular(sigma, s);
}

}  // namespace
}  // namespace tauflex
