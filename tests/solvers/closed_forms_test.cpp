// Problems whose torques are known in closed form, each with the order of the method.
#include <gtest/gtest.h>

#include <cmath>

#include "example_jobs.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {
namespace {

double at(const Solution& s, double t) { return s.u(0, std::lround(t / s.step)); }

Solution solved(const Posed& posed, int order, double step) {
  return solve(posed.problem, posed.start, BdfOptions{.order = order, .step = step});
}

// u(t) of the path's derivatives y, y', ...: exact where the robot is flat.
using ClosedForm = double (*)(const Matrix& y);

double two_cars(const Matrix& y) {  // m1 x1'' = F - k (x1 - x2), m2 x2'' = k (x1 - x2)
  const double m1 = 1, m2 = 2, k = 5;
  return (m1 + m2) * y(0, 2) + m1 * m2 / k * y(0, 4);
}

double flexible_joint(const Matrix& y) {  // I q'' + mgl sin q = k (th - q), J th'' = u - k (th - q)
  const double I = 1.5, mgl = 14.715, k = 200, J = 0.3;
  const double s = std::sin(y(0, 0)), c = std::cos(y(0, 0));
  const double tau = I * y(0, 2) + mgl * s;
  const double tau_dd = I * y(0, 4) + mgl * (c * y(0, 2) - s * y(0, 1) * y(0, 1));
  return J * (y(0, 2) + tau_dd / k) + tau;
}

double largest_error(const Posed& posed, const Solution& s, ClosedForm closed_form, double from) {
  Matrix y(1, 5);
  double worst = 0;
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    if (s.t[i] < from) continue;
    posed.problem.path().derivatives(s.t[i], y);
    worst = std::max(worst, std::abs(s.u(0, i) - closed_form(y)));
  }
  return worst;
}

TEST(ClosedForm, two_cars_reference_values) {
  const Posed posed = pose(example_job("two_cars"));
  const Solution s = solved(posed, 4, 0.05);  // rounding grows as h^-4: 5e-5 N at 10 ms, 1e-7 here
  EXPECT_NEAR(at(s, 1), 0.77417695473251, 5e-5);  // N; truncation of order 4
  EXPECT_NEAR(at(s, 2), 1.15226337448560, 5e-5);  // N; truncation of order 4
  EXPECT_NEAR(at(s, 3), 0, 5e-5);                 // N; truncation of order 4
  EXPECT_NEAR(at(s, 4.5), -1.11083984375, 5e-5);  // N; truncation of order 4
  Matrix y(1, 5);
  for (const auto& [t, F] :
       {std::pair(1.0, 0.77417695473251), {2.0, 1.15226337448560}, {4.5, -1.11083984375}}) {
    posed.problem.path().derivatives(t, y);
    EXPECT_NEAR(two_cars(y), F, 1e-13);  // N; the closed form itself, printed digits
  }
  EXPECT_NEAR(s.q(0, std::lround(1 / s.step)), 0.617922985571305, 1e-5);  // m; x1(1), truncation
}

TEST(ClosedForm, flexible_joint_reference_values) {
  const Posed posed = pose(example_job("flexible_joint"));
  Matrix y(1, 5);
  for (const auto& [t, u] : {std::pair(0.25, 23.3325206647922),
                             {0.5, 10.1718500240956},
                             {0.75, -7.30160096935837},
                             {1.0, 14.715}}) {
    posed.problem.path().derivatives(t, y);
    EXPECT_NEAR(flexible_joint(y), u, 1e-12);  // N m; the closed form itself, printed digits
    EXPECT_NEAR(at(solved(posed, 4, 2e-3), t), u, 2e-3);  // N m; truncation of order 4 at 2 ms
  }
  const Solution s = solved(posed, 4, 2e-3);
  EXPECT_NEAR(s.q(1, std::lround(0.5 / s.step)), 0.837423544823249,
              1e-6);  // rad; rotor, truncation
}

TEST(ClosedForm, order_k) {
  struct Case {
    const char* name;
    ClosedForm closed_form;
    double from;      // past the corner of the path at its start, which is only C^4
    double steps[4];  // coarser for higher orders: rounding in u grows as h^-4
  };
  for (const Case& c : {Case{"two_cars", two_cars, 1.5, {2e-2, 2e-2, 5e-2, 0.06}},
                        Case{"flexible_joint", flexible_joint, 0.25, {2e-3, 2e-3, 1e-2, 1e-2}}}) {
    const Posed posed = pose(example_job(c.name));
    for (int k = 1; k <= 4; ++k) {
      const double h = c.steps[k - 1];
      const double coarse = largest_error(posed, solved(posed, k, h), c.closed_form, c.from);
      const double fine = largest_error(posed, solved(posed, k, h / 2), c.closed_form, c.from);
      EXPECT_NEAR(std::log2(coarse / fine), k, 0.15)
          << c.name << " order " << k;  // higher terms of the expansion
    }
  }
}

// E1 simplified has no closed form, but its truth is cheap: order 5 with a small step.
// The paper's row (16a) adds -k x2 - d x4 to the torque, which a spring between the two links does
// not do (in (27) it is right): the printed peak of 227 630 N m belongs to that row.
TEST(ClosedForm, e1_simplified) {
  const Posed posed = pose(example_job("e1_simplified"));
  const Matrix& M = posed.problem.robot().constant_mass();
  EXPECT_NEAR(M(0, 0), 1000, 1e-9);  // kg m^2; printed, rounding
  EXPECT_NEAR(M(0, 1), 700, 1e-9);   // kg m^2; printed, rounding
  EXPECT_NEAR(M(1, 1), 600, 1e-9);   // kg m^2; printed, rounding
  const Solution s = solved(posed, 4, 1e-3), truth = solved(posed, 5, 0.2e-3);
  ASSERT_EQ(s.steps, 100);
  const auto printed = [](const Solution& x, int i) {
    return x.u(0, i) - 1e6 * x.q(1, i) - 1000 * x.v(1, i);
  };
  double worst = 0, worst_printed = 0, peak_printed = 0;
  for (int i = 0; i <= s.steps; ++i) {
    worst = std::max(worst, std::abs(s.u(0, i) - truth.u(0, 5 * i)));
    worst_printed = std::max(worst_printed, std::abs(printed(s, i) - printed(truth, 5 * i)));
    peak_printed = std::max(peak_printed, std::abs(printed(truth, 5 * i)));
  }
  EXPECT_LT(worst, 10);                   // N m; asked for
  EXPECT_LT(worst_printed, 10);           // N m of 227 630; asked for
  EXPECT_NEAR(peak_printed, 227630, 20);  // N m; printed digits of the reference, on a grid of 1 ms
}

}  // namespace
}  // namespace tauflex
