// Laws of springs given by points: the curve through them is C^3, increasing, odd where it should
// be; its stiffness and energy are derivative and integral of its torque.
#include "tauflex/model/spring_table.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"
#include "tauflex/mechanics/spring_laws.hpp"

namespace tauflex {
namespace {

using Points = std::vector<SpringPoint>;

// The whole spring, not only what it has beyond K d.
template <class S>
S torque(const SpringTable& table, const S& d) {
  return S(table.stiffness()) * d + table_torque(table, d);
}
double stiffness(const SpringTable& table, double d) {
  return table.stiffness() + table_stiffness(table, d);
}
double energy(const SpringTable& table, double d) {
  return table.stiffness() * d * d / 2 + table_energy(table, d);
}

// Steps of very unequal width and height, with [0, 0] somewhere.
Points random_points(unsigned seed) {
  Random random(seed);
  Points points = {{0, 0}};
  for (int i = 0; i < 6; ++i)
    points.push_back({points.back().stretch + std::pow(10, random.uniform(-1, 0.5)),
                      points.back().torque + std::pow(10, random.uniform(-2, 2))});
  if (seed % 3 == 0) return points;  // odd
  const SpringPoint zero = points[seed % points.size()];
  for (SpringPoint& p : points) p = {p.stretch - zero.stretch, p.torque - zero.torque};
  return points;
}

class SpringTables : public testing::TestWithParam<unsigned> {
 protected:
  SpringTables()
      : points(random_points(GetParam())),
        table(points),
        random(100 + GetParam()),
        end(points.back().stretch + 1),
        begin(points.front().stretch == 0 ? -end : points.front().stretch - 1) {
    for (size_t i = 1; i < points.size(); ++i) {
      const double width = points[i].stretch - points[i - 1].stretch;
      stiffest = std::max(stiffest, (points[i].torque - points[i - 1].torque) / width);
      narrowest = std::min(narrowest, width);
    }
  }
  Points points;
  SpringTable table;
  Random random;
  double end, begin;
  double stiffest = 0, narrowest = 10;  // the sizes that rounding is relative to
};

TEST_P(SpringTables, GoThroughTheirPoints) {
  double largest = 0;
  for (const SpringPoint& p : points) largest = std::max(largest, std::abs(p.torque));
  for (const SpringPoint& p : points)
    EXPECT_NEAR(torque(table, p.stretch), p.torque, 1e-13 * largest);  // rounding
}

// Every derivative up to the third is the same from the left and from the right.
TEST_P(SpringTables, AreThreeTimesDifferentiable) {
  for (const SpringPoint& p : points)
    for (const double sign : {-1.0, 1.0}) {
      if (sign < 0 && points.front().stretch != 0) continue;  // odd tables only
      const double d = sign * p.stretch;
      const Jet left = torque(table, Jet::time(std::nextafter(d, -10.0), 3)),
                right = torque(table, Jet::time(std::nextafter(d, 10.0), 3));
      for (int k = 0; k <= 3; ++k)
        EXPECT_NEAR(left[k], right[k], 1e-11 * stiffest * std::pow(narrowest, 1 - k))  // rounding
            << "derivative " << k << " at " << d;
    }
}

TEST_P(SpringTables, Increase) {
  for (int i = 0; i <= 4000; ++i) EXPECT_GT(stiffness(table, begin + (end - begin) * i / 4000), 0);
}

TEST_P(SpringTables, AreStraightBeyondTheirEnds) {
  const SpringPoint& last = points.back();
  const double K = stiffness(table, last.stretch + 1e-9);
  EXPECT_NEAR(torque(table, last.stretch + 7), last.torque + 7 * K, 1e-9 * (last.torque + 7 * K));
  EXPECT_NEAR(stiffness(table, last.stretch + 7), K, 1e-9 * K);
}

TEST_P(SpringTables, StiffnessIsTheDerivative) {
  for (int i = 0; i < 200; ++i) {
    const double d = random.uniform(begin, end);
    const Dual by_dual = torque(table, Dual(d, 1));
    EXPECT_NEAR(stiffness(table, d), by_dual.slope, 1e-12 * stiffest);
    // and what a Jet of Duals says of both
    JetOfDual moving = JetOfDual::zero(2);
    moving[0] = Dual(d, 1);
    moving[1] = Dual(1);
    const JetOfDual t = torque(table, moving);
    EXPECT_NEAR(t[1].value, by_dual.slope, 1e-12 * stiffest);
    EXPECT_NEAR(t[1].slope, 2 * t[2].value, 1e-12 * stiffest / narrowest);
  }
}

TEST_P(SpringTables, EnergyIsTheIntegral) {
  EXPECT_EQ(energy(table, 0), 0);
  double largest = std::max(energy(table, begin), energy(table, end));
  for (int i = 0; i < 200; ++i) {
    const double d = random.uniform(begin, end);
    const Dual at(d, 1);
    const Dual e = Dual(table.stiffness() / 2) * at * at + table_energy(table, at);
    EXPECT_NEAR(e.slope, torque(table, d), 1e-12 * (1 + std::abs(e.slope)));
    EXPECT_GE(e.value, -1e-12 * largest);
  }
  // the pieces fit together
  for (const SpringPoint& p : points)
    EXPECT_NEAR(energy(table, std::nextafter(p.stretch, -10.0)), energy(table, p.stretch),
                1e-12 * largest);
}

INSTANTIATE_TEST_SUITE_P(Random, SpringTables, testing::Range(0u, 30u));

TEST(SpringTable, OfALineIsTheLinearSpring) {
  for (const Points& points : {Points{{0, 0}, {0.25, 5}}, Points{{0, 0}, {0.1, 2}, {0.7, 14}},
                               Points{{-1, -20}, {-0.2, -4}, {0, 0}, {3, 60}}}) {
    const SpringTable table(points);
    EXPECT_NEAR(table.stiffness(), 20, 1e-13);
    for (double d = -4; d < 4; d += 0.01) {
      EXPECT_NEAR(table_torque(table, d), 0, 1e-12);     // rounding of 60
      EXPECT_NEAR(table_stiffness(table, d), 0, 1e-11);  // over steps of 0.1
      EXPECT_NEAR(table_energy(table, d), 0, 1e-11);
    }
  }
}

TEST(SpringTable, FromZeroOnIsOdd) {
  const SpringTable half({{0, 0}, {0.1, 1}, {0.3, 6}}),
      whole({{-0.3, -6}, {-0.1, -1}, {0, 0}, {0.1, 1}, {0.3, 6}});
  for (double d = 0; d < 0.5; d += 0.01) {
    EXPECT_NEAR(torque(half, -d), -torque(half, d), 1e-13);
    EXPECT_NEAR(energy(half, -d), energy(half, d), 1e-13);
    EXPECT_EQ(torque(half, d), torque(whole, d));
  }
}

// Twice as many points of a smooth law: the error falls at least by 4, as that of parabolas.
TEST(SpringTable, ConvergesToASmoothLaw) {
  const auto law = [](double d) { return 100 * d + 400 * d * d * d; };
  double last = 0;
  for (const int n : {5, 10, 20, 40}) {
    Points points;
    for (int i = 0; i <= n; ++i) points.push_back({0.5 * i / n, law(0.5 * i / n)});
    const SpringTable table(points);
    double worst = 0;
    for (double d = 0; d < 0.4; d += 0.001)
      worst = std::max(worst, std::abs(torque(table, d) - law(d)));
    if (last > 0) EXPECT_LT(worst, last / 4) << n;
    last = worst;
  }
  EXPECT_LT(last, 1e-3);  // of 75
}

}  // namespace
}  // namespace tauflex
