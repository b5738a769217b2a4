// The monolithic Dae: its Jacobians against Dual numbers, its equations against the solution.
#include "tauflex/equations/inverse_dae.hpp"

#include <gtest/gtest.h>

#include <random>

#include "example_jobs.hpp"

namespace tauflex {
namespace {

class InverseDaeLaw : public testing::TestWithParam<const char*> {};

// d r / d(x or x') in one direction, by the Dual part of an order-0 Jet.
Vector slope(InverseDae& dae, double t, const Vector& x, const Vector& xdot, Eigen::Index i,
             bool of_rate) {
  VectorOf<JetOfDual> X(x.size()), Xdot(x.size()), R(x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    X[k] = JetOfDual(Dual(x[k], !of_rate && k == i ? 1 : 0));
    Xdot[k] = JetOfDual(Dual(xdot[k], of_rate && k == i ? 1 : 0));
  }
  dae.residual(JetOfDual(t), X, Xdot, R);
  Vector d(x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) d[k] = R[k].coefficient(0).slope;
  return d;
}

TEST_P(InverseDaeLaw, jacobians_agree_with_dual_numbers) {
  const Posed posed = pose(example_job(GetParam()));
  InverseDae dae(posed.problem);
  const int n = dae.size();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int state = 0; state < 5; ++state) {
    Vector x(n), xdot(n);
    for (double& value : x) value = number(random);
    for (double& value : xdot) value = number(random);
    Matrix F_x(n, n), F_xdot(n, n);
    dae.jacobians(0.01, x, xdot, F_x, F_xdot);
    const double tolerance =
        1e-10 * (1 + F_x.cwiseAbs().maxCoeff());  // rounding of the largest entry
    for (int i = 0; i < n; ++i) {
      EXPECT_LT((F_x.col(i) - slope(dae, 0.01, x, xdot, i, false)).cwiseAbs().maxCoeff(),
                tolerance);
      EXPECT_LT((F_xdot.col(i) - slope(dae, 0.01, x, xdot, i, true)).cwiseAbs().maxCoeff(),
                tolerance);
    }
  }
}

TEST_P(InverseDaeLaw, the_series_of_the_residual_starts_with_the_residual) {
  const Posed posed = pose(example_job(GetParam()));
  InverseDae dae(posed.problem);
  const int n = dae.size();
  Vector x = Vector::LinSpaced(n, -0.5, 0.7), xdot = Vector::LinSpaced(n, 0.3, -0.2), r(n),
         later(n);
  const double t = 0.02;
  dae.residual(t, x, xdot, r);
  VectorOf<Jet> X(n), Xdot(n), R(n);
  for (int k = 0; k < n; ++k) {
    X[k] = Jet::zero(1);
    X[k][0] = x[k];
    X[k][1] = xdot[k];
    Xdot[k] = Jet::zero(1);
    Xdot[k][0] = xdot[k];
  }
  dae.residual(Jet::time(t, 1), X, Xdot, R);
  const double h = 1e-6;
  dae.residual(t + h, x + h * xdot, xdot, later);
  const double size = 1 + r.cwiseAbs().maxCoeff();
  for (int k = 0; k < n; ++k) {
    EXPECT_NEAR(R[k].coefficient(0), r[k], 1e-12 * size);  // the same sums
    EXPECT_NEAR(R[k].coefficient(1), (later[k] - r[k]) / h,
                1e-4 * size * 100);  // a one-sided difference quotient
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, InverseDaeLaw,
                         testing::Values("e12_bdf", "e12_linearized", "e1_simplified", "e1_complete",
                                         "rigid_2r", "flexible_joint", "two_cars", "four_bar",
                                         "delta_robot", "delta_robot_elastic", "polishing",
                                         "constant_orientation"));

TEST(InverseDae, names_every_equation_and_variable) {
  const Posed posed = pose(example_job("e12_bdf"));
  const InverseDae dae(posed.problem);
  EXPECT_EQ(dae.size(), 10);
  EXPECT_EQ(dae.variable_name(0), "q.upper");
  EXPECT_EQ(dae.variable_name(9), "v.fore.rotor");
  EXPECT_EQ(dae.equation_name(7), "motion of hand");
  EXPECT_EQ(dae.equation_name(9), "servo tool.z");
}

}  // namespace
}  // namespace tauflex
