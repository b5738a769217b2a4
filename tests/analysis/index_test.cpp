// Indices by ranks: published values, chains of cars, a user's own equations, and the law of the
// derivative array's Jacobian.
#include "tauflex/analysis/index.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "example_jobs.hpp"
#include "tauflex/analysis/index_report.hpp"
#include "tauflex/equations/forward_dae.hpp"
#include "tauflex/equations/inverse_dae.hpp"
#include "tauflex/equations/make_dae.hpp"

namespace tauflex {
namespace {

struct AtStart {
  Posed posed;
  InverseDae dae;
  DerivativeArray array;
  Matrix X;

  explicit AtStart(const Job& job, Torques torques = Torques::set_aside)
      : posed(pose(job)), dae(posed.problem, torques), array(dae), X(dae.at_rest(posed.start)) {}
  IndexAnalysis analyze() {
    const IndexAnalysis found = analyze_index(array, posed.problem.begin(), X);
    // by definition too
    EXPECT_EQ(differential_index(array, posed.problem.begin(), X), found.differential_index);
    return found;
  }
};

void expect_index(const IndexAnalysis& found, int nu, int mu, int a, int d) {
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.differential_index, nu);
  EXPECT_EQ(found.strangeness_index, mu);
  EXPECT_EQ(found.algebraic_count, a);
  EXPECT_EQ(found.differential_count, d);
  EXPECT_GT(found.gap, 1e3);  // every rank is clear
}

TEST(Index, of_e1) {
  expect_index(AtStart(example_job("e1_simplified")).analyze(), 2, 1, 2, 2);
  expect_index(AtStart(example_job("e1_complete")).analyze(), 2, 1, 2, 2);
}

TEST(Index, of_e12_and_its_algebraic_variables) {
  AtStart e12(example_job("e12_bdf"));
  const IndexAnalysis found = e12.analyze();
  expect_index(found, 3, 2, 6, 4);
  // x1, x2, x6, x7, x9, x10 of [Moberg2009]; here q = (upper, fore, hand, rotors), then v
  EXPECT_LT(condition_of_algebraic(found, {0, 1, 5, 6, 8, 9}), 1e6);
  EXPECT_LT(condition_of_algebraic(found, found.algebraic), 1e4);
  // with all joint velocities given the tool's would be prescribed twice
  EXPECT_TRUE(std::isinf(condition_of_algebraic(found, {0, 1, 3, 4, 8, 9})));
  EXPECT_TRUE(std::isinf(condition_of_algebraic(found, {0, 1, 5, 6})));  // too few
}

TEST(Index, of_e12_with_torques_and_without_damping) {
  expect_index(AtStart(example_job("e12_bdf"), Torques::unknown).analyze(), 4, 3, 8, 4);
  const std::vector<std::string> undamped = {"robot.links.upper.drive.damping=0",
                                             "robot.links.fore.drive.damping=0"};
  expect_index(AtStart(example_job("e12_bdf", undamped)).analyze(), 4, 3, 8, 2);
  expect_index(AtStart(example_job("e12_bdf", undamped), Torques::unknown).analyze(), 5, 4, 10, 2);
}

TEST(Index, of_e12_linearised) {
  expect_index(AtStart(example_job("e12_linearized")).analyze(), 3, 2, 6, 4);
}

Job cars(int count) {
  std::string links, parent = "world";
  for (int i = 0; i < count; ++i) {
    links += fmt::format(
        "    - {{name: car{0}, joint: {{parent: {1}, type: prismatic, axis: x}}, {2}, mass: "
        "{3}}}\n",
        i, parent, i == 0 ? "drive: {}" : "spring: {stiffness: 5}", 1 + 0.3 * i);
    parent = fmt::format("car{}", i);
  }
  return read_job(
      Node::read_text(fmt::format("tauflex: 1\nrobot:\n  gravity: [0, 0, 0]\n  links:\n{}task:\n"
                                  "  outputs: [{}.x]\n  path: {{line: {{from: [0], to: [1]}}, "
                                  "duration: 6, profile: polynomial31}}\n",
                                  links, parent),
                      "cars.yaml"),
      "cars");
}

TEST(Index, of_cars_in_a_chain) {
  for (int n = 2; n <= 6; ++n) {
    SCOPED_TRACE(n);
    const IndexAnalysis found = AtStart(cars(n), Torques::unknown).analyze();
    expect_index(found, 2 * n + 1, 2 * n, 2 * n + 1, 0);
  }
}

TEST(Index, structure_overlooks_what_cancels) {
  const Posed posed = pose(cars(2));
  const IndexReport report = report_index(posed.problem, {{0, posed.start}});
  EXPECT_EQ(report.points.front().differential_index, 4);
  EXPECT_LT(report.structural_index, 4);
  EXPECT_NE(report.disagreement.find("cancel"), std::string::npos);
}

TEST(Index, of_constrained_robots_with_elastic_drives) {
  const std::string elastic = "{rotor_inertia: 2e-4, gear_ratio: 50, stiffness: 2000, damping: 5}";
  expect_index(AtStart(example_job("four_bar")).analyze(), 3, 2, 11, 0);
  expect_index(AtStart(example_job("four_bar", {"robot.links.crank.drive=" + elastic})).analyze(),
               3, 2, 12, 1);
  expect_index(AtStart(example_job("polishing")).analyze(), 3, 2, 10, 3);
  expect_index(AtStart(example_job("delta_robot_elastic")).analyze(), 3, 2, 36, 3);
}

// A planar pendulum in Cartesian coordinates, written once.
std::unique_ptr<Dae> pendulum() {
  return make_dae({"x", "y", "vx", "vy", "lambda"},
                  [](const auto&, const auto& x, const auto& xdot, auto& r) {
                    r[0] = xdot[0] - x[2];
                    r[1] = xdot[1] - x[3];
                    r[2] = xdot[2] + x[4] * x[0];
                    r[3] = xdot[3] + x[4] * x[1] + 9.81;
                    r[4] = x[0] * x[0] + x[1] * x[1] - 1.0;
                  });
}

TEST(Index, of_own_equations) {
  const auto dae = pendulum();
  DerivativeArray array(*dae);
  Matrix X = Matrix::Zero(5, 1);
  X << 0.6, -0.8, 0, 0, 9.81 * 0.8;
  expect_index(analyze_index(array, 0, X), 3, 2, 3, 2);
  EXPECT_EQ(differential_index(array, 0, X), 3);
}

TEST(Index, of_an_ordinary_equation_and_of_one_that_is_not_solvable) {
  const auto ode = make_dae({"x", "y"}, [](const auto&, const auto& x, const auto& xdot, auto& r) {
    r[0] = xdot[0] - x[1];
    r[1] = xdot[1] + x[0];
  });
  DerivativeArray array(*ode);
  expect_index(analyze_index(array, 0, Matrix::Ones(2, 1)), 0, 0, 0, 2);
  const auto twice =
      make_dae({"x", "y"}, [](const auto&, const auto& x, const auto& xdot, auto& r) {
        r[0] = xdot[0] - x[1];
        r[1] = xdot[0] - x[1];
      });
  DerivativeArray useless(*twice);
  EXPECT_FALSE(analyze_index(useless, 0, Matrix::Ones(2, 1)).found);
}

TEST(Index, of_forward_problems) {
  const PosedPlant free = pose_plant(example_job("e12_bdf"));
  const auto tree = forward_dae(free.plant, Vector::Zero(2));
  DerivativeArray array(*tree);
  Matrix X = Matrix::Zero(tree->size(), 1);
  X.col(0).head(free.q.size()) = free.q;
  expect_index(analyze_index(array, 0, X), 0, 0, 0, 10);
  const PosedPlant loop = pose_plant(example_job("four_bar"));
  const auto closed = forward_dae(loop.plant, Vector::Zero(1));
  DerivativeArray loop_array(*closed);
  Matrix Y = Matrix::Zero(closed->size(), 1);
  Y.col(0).head(loop.q.size()) = loop.q;
  expect_index(analyze_index(loop_array, 0, Y), 3, 2, 9, 2);
}

// dF_j/dX_k against difference quotients of the series itself.
TEST(DerivativeArrayLaw, jacobian_is_the_slope_of_the_series) {
  for (const char* example : {"e12_bdf", "polishing", "e1_simplified"}) {
    AtStart at(example_job(example));
    const int n = at.dae.size(), order = 3;
    std::mt19937 random(2);
    std::uniform_real_distribution<double> number(-1, 1);
    Matrix X(n, order + 2), F, plus, minus;
    for (double& x : X.reshaped()) x = 0.3 * number(random);
    const double t = 0.1, h = 1e-5;
    at.array.linearize(t, X, order);
    for (int k = 0; k <= order + 1; ++k) {
      Vector direction(n);
      for (double& x : direction) x = number(random);
      Matrix moved = X;
      moved.col(k) += h * direction;
      at.array.residual(t, moved, order, plus);
      moved.col(k) -= 2 * h * direction;
      at.array.residual(t, moved, order, minus);
      for (int j = 0; j <= order; ++j) {
        Matrix block(n, n);
        at.array.block(j, k, block);
        const Vector slope = (plus.col(j) - minus.col(j)) / (2 * h);
        const double scale = 1 + (block * direction).norm();
        EXPECT_LT((block * direction - slope).norm(), 1e-5 * scale)  // of a difference quotient
            << example << " j " << j << " k " << k;
      }
    }
  }
}

}  // namespace
}  // namespace tauflex
