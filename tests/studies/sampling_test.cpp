// Points of a study: random numbers by their place, even fillings, distributions. Published values,
// closed forms and laws.
#include "tauflex/studies/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tauflex/studies/random_numbers.hpp"
#include "tauflex/studies/sobol_sequence.hpp"
#include "tauflex/studies/statistics.hpp"

namespace tauflex {
namespace {

// Published value: the known answers of Random123 for philox4x32-10.
TEST(RandomNumbers, PhiloxGivesItsKnownAnswers) {
  using Block = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Law: every place once, whatever the count.
TEST(RandomNumbers, ShufflesAreOrders) {
  for (const std::uint64_t count : {1u, 2u, 3u, 10u, 64u, 1000u}) {
    std::set<std::uint64_t> places;
    bool moved = false;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t place = shuffled(7, 3, i, count);
      EXPECT_LT(place, count);
      places.insert(place);
      moved = moved || place != i;
    }
    EXPECT_EQ(places.size(), count);
    EXPECT_TRUE(moved || count < 4);
  }
}

// Published value: [Wichura1988] prints the first three of these.
TEST(RandomNumbers, NormalQuantiles) {
  EXPECT_NEAR(normal_quantile(0.25), -0.6744897501960817, 1e-15);  // printed digits
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167814, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-20), -9.262340089798408, 1e-13);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  for (const double p : {0.03, 0.2, 0.45})
    EXPECT_NEAR(normal_quantile(p), -normal_quantile(1 - p), 1e-14);
}

// Published value: the same points as SciPy's unscrambled sequence, which has the same direction
// numbers.
TEST(Sobol, PointsOfJoeAndKuo) {
  struct Point {
    std::uint32_t index;
    int dimension;
    double value;
  };
  for (const Point& p : {Point{1, 0, 0.5}, Point{1, 1, 0.5}, Point{5, 1, 0.875},
                         Point{13, 2, 0.8125}, Point{77, 7, 0.6484375}, Point{200, 20, 0.36328125},
                         Point{255, 49, 0.69140625}, Point{131, 99, 0.43359375}})
    EXPECT_EQ(sobol_bits(p.index, p.dimension) * 0x1p-32, p.value) << p.index << " " << p.dimension;
}

// Law: the first 2^k points of each dimension have one in each of 2^k equal parts, shifted or not;
// those of the first two dimensions also one in each box of 16 x 16.
TEST(Sobol, FillsEvenly) {
  constexpr int n = 256;
  for (int dimension = 0; dimension < most_sobol_dimensions; ++dimension) {
    std::set<int> parts;
    for (std::uint32_t i = 0; i < n; ++i)
      parts.insert(static_cast<int>(n * sobol_number(11, i, dimension)));
    EXPECT_EQ(parts.size(), n) << dimension;
  }
  std::set<int> boxes;
  for (std::uint32_t i = 0; i < n; ++i)
    boxes.insert(static_cast<int>(16 * sobol_number(11, i, 0)) * 16 +
                 static_cast<int>(16 * sobol_number(11, i, 1)));
  EXPECT_EQ(boxes.size(), n);
}

Node somewhere() { return Node::read_text("here", "study.yaml"); }

Distribution distribution(const std::string& text) {
  return read_distribution(Node::read_text(text, "study.yaml"));
}

// Law: one number in each of n equal shares; closed form: moments of a normal distribution.
TEST(Sampling, LatinHypercubeAndNormalNumbers) {
  constexpr long n = 500;
  const Sampling sampling(SamplingKind::latin_hypercube, n, 5,
                          {distribution("0..1"), distribution("{normal: [3, 2]}")}, somewhere());
  std::set<int> shares;
  RunningMoments normal;
  for (long run = 0; run < n; ++run) {
    shares.insert(static_cast<int>(n * sampling.value(run, 0).number));
    normal.add(sampling.value(run, 1).number);
  }
  EXPECT_EQ(std::ssize(shares), n);
  EXPECT_NEAR(normal.mean(), 3, 0.01);       // 500 strata: far below 2 / sqrt(500) = 0.09
  EXPECT_NEAR(normal.deviation(), 2, 0.03);  // the tails are cut into strata of 1/500
}

TEST(Sampling, GridsAndDesigns) {
  const Sampling grid(SamplingKind::grid, 3, 1,
                      {distribution("x0.5..x1.5"), distribution("{values: [7, 8]}")}, somewhere());
  ASSERT_EQ(grid.runs(), 6);
  EXPECT_EQ(grid.value(0, 0).number, 0.5);
  EXPECT_EQ(grid.value(3, 0).number, 1);
  EXPECT_EQ(grid.value(5, 0).number, 1.5);
  EXPECT_EQ(grid.value(4, 1).choice, 0);
  EXPECT_EQ(grid.value(5, 1).choice, 1);
  // A, B, and A with one parameter of B each
  const Sampling design(SamplingKind::saltelli, 10, 1, {distribution("0..1"), distribution("0..1")},
                        somewhere());
  ASSERT_EQ(design.runs(), 40);
  for (long block = 0; block < 10; ++block)
    for (int i = 0; i < 2; ++i) {
      const auto number = [&](long part) { return design.value(4 * block + part, i).number; };
      EXPECT_NE(number(0), number(1));
      EXPECT_EQ(number(2 + i), number(1));
      EXPECT_EQ(number(3 - i), number(0));
    }
}

// Law: numbers follow from seed, run and parameter alone.
TEST(Sampling, SeedsAndPlacesDecide) {
  const auto number = [](std::uint64_t seed, long run, int parameter) {
    return Sampling(SamplingKind::random, 100, seed, {distribution("0..1"), distribution("0..1")},
                    somewhere())
        .value(run, parameter)
        .number;
  };
  EXPECT_EQ(number(1, 5, 1), number(1, 5, 1));
  EXPECT_NE(number(1, 5, 1), number(2, 5, 1));
  EXPECT_NE(number(1, 5, 1), number(1, 6, 1));
  EXPECT_NE(number(1, 5, 1), number(1, 5, 0));
}

// Published value: score intervals of Newcombe (1998), table I, method 3.
TEST(Statistics, ConfidenceOfAShare) {
  const auto expect = [](long kept, long count, double low, double high) {
    const Interval interval = wilson_interval(kept, count);
    EXPECT_NEAR(interval.low, low, 5e-5) << kept;  // printed digits
    EXPECT_NEAR(interval.high, high, 5e-5) << kept;
  };
  expect(81, 263, 0.2553, 0.3662);
  expect(15, 148, 0.0624, 0.1605);
  expect(0, 20, 0, 0.1611);
  expect(1, 29, 0.0061, 0.1718);
}

// Closed form: ranks of ten pairs without ties, 1 - 6 sum d^2 / (n (n^2 - 1)) = -29/165; with ties
// by hand.
TEST(Statistics, RankCorrelation) {
  EXPECT_NEAR(rank_correlation({106, 100, 86, 101, 99, 103, 97, 113, 112, 110},
                               {7, 27, 2, 50, 28, 29, 20, 12, 6, 17}),
              -29.0 / 165, 1e-15);  // rounding
  EXPECT_NEAR(rank_correlation({1, 1, 2}, {5, 6, 7}), std::sqrt(3.0) / 2, 1e-15);
  EXPECT_EQ(rank_correlation({1, 1, 1}, {5, 6, 7}), 0);
}

// Closed form: y = (x - 1/2)^2 + w depends on x without any correlation; V(y) = 1/180 + 1/1200 for
// w uniform in a range of 0.1.
TEST(Statistics, ShareOfTheVariance) {
  const Sampling points(SamplingKind::sobol, 4096, 3,
                        {distribution("0..1"), distribution("0..0.1")}, somewhere());
  std::vector<double> x, w, y;
  for (long i = 0; i < points.runs(); ++i) {
    x.push_back(points.value(i, 0).number);
    w.push_back(points.value(i, 1).number);
    y.push_back((x.back() - 0.5) * (x.back() - 0.5) + w.back());
  }
  const double share = (1.0 / 180) / (1.0 / 180 + 0.01 / 12);
  EXPECT_NEAR(*variance_share(x, y), share, 0.02);  // 20 bins flatten a parabola by 1 / 20^2 of it
  EXPECT_NEAR(*variance_share(w, y), 1 - share, 0.02);
  EXPECT_FALSE(variance_share({1, 2, 3}, {1, 2, 3}));  // too few runs
  // y = x^2 + 2 w on a grid of x = -1, 0, 1 and w = 0, 1, three times: variances 2/9 and 1
  std::vector<double> grid_x, grid_w, grid_y;
  for (int i = 0; i < 18; ++i) {
    grid_x.push_back(i % 3 - 1);
    grid_w.push_back(i / 3 % 2);
    grid_y.push_back(std::pow(grid_x.back(), 2) + 2 * grid_w.back());
  }
  // shares of sums of squares, 4 and 18 of 22, with the degrees of freedom of a sample
  EXPECT_NEAR(*variance_share(grid_x, grid_y), 1 - (18.0 / 15) / (22.0 / 17), 1e-12);
  EXPECT_NEAR(*variance_share(grid_w, grid_y), 1 - (4.0 / 16) / (22.0 / 17), 1e-12);
  EXPECT_NEAR(rank_correlation(x, y), 0, 0.05);  // 1.5 standard errors of 4096 independent runs
}

// Error messages.
TEST(Sampling, RefusesWhatIsNoDistribution) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      distribution(text);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "not refused";
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(refusal(text).find(part), std::string::npos) << refusal(text);
  };
  expect("x1.2..x0.8", "the range goes from 1.2 down to 0.8");
  expect("x1..x1", "nothing varies");
  expect("x0.8..1.2", "both numbers must be factors");
  expect("5", "expected a range");
  expect("{normal: [x1, x0]}", "standard deviation must be greater than 0");
  expect("{log_normal: [-3, 1]}", "above 0");
  expect("{values: []}", "expected a list of values");
  expect("{files: 'no/*.csv'}", "no file matches");
  expect("{unifrom: [0, 1]}", "did you mean 'uniform'");
  expect("{uniform: [0, 1], normal: [0, 1]}", "expected a range");
}

}  // namespace
}  // namespace tauflex
