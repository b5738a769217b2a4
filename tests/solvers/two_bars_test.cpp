// Three routes to the inverse dynamics of two bars on revolute joints A and B (the course notes of
// the anthropomorphic manipulator): Lagrange in closed form, Newton with the distribution matrix,
// and the differential-algebraic equations in absolute coordinates. And the tree, which is none of
// them.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <tuple>

#include "example_jobs.hpp"
#include "tauflex/mechanics/reactions.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/trajectory/line.hpp"

namespace tauflex {
namespace {

constexpr double m2 = 4, m3 = 2.5, J2 = 0.12, J3 = 0.05;   // kg, kg m^2
constexpr double d2 = 0.6, a2 = 0.3, a3 = 0.22, r3 = 0.5;  // m: AB, AG2, BG3, BC
constexpr double g = 9.81;
constexpr double rounding = 1e-12;  // of the largest torque or force: asked for

struct Angles {
  Eigen::Vector2d theta, rate, acceleration;  // theta3 relative to theta2
};

// The printed closed form.
Eigen::Vector2d lagrange(const Angles& q) {
  const double c3 = std::cos(q.theta[1]), s3 = std::sin(q.theta[1]);
  const double JB = m3 * a3 * a3 + J3;
  const double JA = JB + m2 * a2 * a2 + m3 * d2 * d2 + J2 + 2 * m3 * d2 * a3 * c3;
  const double C = JB + m3 * d2 * a3 * c3, D = m3 * d2 * a3 * s3;
  const double G2 = (m2 * a2 + m3 * d2) * g * std::cos(q.theta[0]);
  const double G3 = m3 * a3 * g * std::cos(q.theta[0] + q.theta[1]);
  Eigen::Matrix2d M;
  M << JA, C, C, JB;
  return M * q.acceleration +
         Eigen::Vector2d(-D * q.rate[1] * q.rate[1] - 2 * D * q.rate[0] * q.rate[1],
                         D * q.rate[0] * q.rate[0]) +
         Eigen::Vector2d(G2 + G3, G3);
}

// (F12x, F12y, T12, F23x, F23y, T23) from the free bodies; the third equation of bar 3, where the
// print misses its "=", reads s3 x F + T = J3 phi3''.
Eigen::Matrix<double, 6, 1> newton(const Angles& q) {
  const double p2 = q.theta[0], p3 = p2 + q.theta[1], w2 = q.rate[0], w3 = w2 + q.rate[1];
  const double e2 = q.acceleration[0], e3 = e2 + q.acceleration[1];
  const auto along = [](double p) { return Eigen::Vector2d(std::cos(p), std::sin(p)); };
  const auto across = [](double p) { return Eigen::Vector2d(-std::sin(p), std::cos(p)); };
  const auto acceleration = [&](double r, double p, double w, double e) -> Eigen::Vector2d {
    return r * (e * across(p) - w * w * along(p));
  };
  const Eigen::Vector2d G2 = acceleration(a2, p2, w2, e2);
  const Eigen::Vector2d G3 = acceleration(d2, p2, w2, e2) + acceleration(a3, p3, w3, e3);
  const Eigen::Vector2d s2A = -a2 * along(p2), s2B = (d2 - a2) * along(p2), s3B = -a3 * along(p3);
  Eigen::Matrix<double, 6, 6> distribution;
  distribution << 1, 0, 0, -1, 0, 0,            //
      0, 1, 0, 0, -1, 0,                        //
      -s2A[1], s2A[0], 1, s2B[1], -s2B[0], -1,  //
      0, 0, 0, 1, 0, 0,                         //
      0, 0, 0, 0, 1, 0,                         //
      0, 0, 0, -s3B[1], s3B[0], 1;
  Eigen::Matrix<double, 6, 1> right;
  right << m2 * G2[0], m2 * G2[1] + m2 * g, J2 * e2, m3 * G3[0], m3 * G3[1] + m3 * g, J3 * e3;
  return distribution.partialPivLu().solve(right);
}

Solution solved(const Job& job) {
  const Posed posed = pose(job);
  return solve(posed.problem, posed.start, ExactOptions{.step = 0.01});
}

void expect_close(double value, double expected, double size) {
  EXPECT_NEAR(value, expected, rounding * size);
}

// Torques and joint forces of the tree against Lagrange and Newton.
void check_tree(const Job& job, const Solution& s) {
  const Posed posed = pose(job);
  MechanicsData data(posed.problem.robot());
  std::vector<Reaction> reactions;
  const double torque = s.u.cwiseAbs().maxCoeff(), force = (m2 + m3) * g;
  for (Eigen::Index i = 0; i < s.t.size(); ++i) {
    const Angles q{s.q.col(i), s.v.col(i), s.vdot.col(i)};
    const Eigen::Vector2d T = lagrange(q);
    const auto F = newton(q);
    joint_reactions(posed.problem.robot(), data, s.q.col(i), s.v.col(i), s.vdot.col(i),
                    s.lambda.col(i), ReactionFrame::world, reactions);
    for (int k = 0; k < 2; ++k) {
      expect_close(s.u(k, i), T[k], torque);
      expect_close(F[3 * k + 2], T[k], torque);
      expect_close(reactions[static_cast<size_t>(k)].moment[2], T[k], torque);
      for (int axis = 0; axis < 2; ++axis)
        expect_close(reactions[static_cast<size_t>(k)].force[axis], F[3 * k + axis], force);
    }
  }
}

// The multipliers of joints A and B in absolute coordinates; those of B are in the axes of bar 2.
void check_absolute_forces(const Solution& absolute, const Solution& tree) {
  const double force = (m2 + m3) * g;
  ASSERT_EQ(absolute.t.size(), tree.t.size());
  for (Eigen::Index i = 0; i < tree.t.size(); ++i) {
    const auto F = newton({tree.q.col(i), tree.v.col(i), tree.vdot.col(i)});
    const double phi2 = absolute.q(2, i), c = std::cos(phi2), sn = std::sin(phi2);
    expect_close(absolute.lambda(0, i), F[0], force);
    expect_close(absolute.lambda(1, i), F[1], force);
    expect_close(c * absolute.lambda(2, i) - sn * absolute.lambda(3, i), F[3], force);
    expect_close(sn * absolute.lambda(2, i) + c * absolute.lambda(3, i), F[4], force);
  }
}

TEST(TwoBars, JointInterpolatedMotionByThreeRoutes) {
  const Job job = example_job("anthropomorphic_joint");
  const Solution tree = solved(job);
  ASSERT_EQ(tree.status, Status::solved);
  check_tree(job, tree);

  // Drivers of both angles in absolute coordinates: their multipliers are the torques.
  Job driven = example_job("anthropomorphic_absolute");
  driven.robot.constraints.pop_back();
  for (const auto& [name, joints, component] :
       {std::tuple<std::string, std::vector<std::pair<std::string, double>>, int>{
            "T12", {{"bar2.rz", 1}}, 0},
        {"T23", {{"bar3.rz", 1}, {"bar2.rz", -1}}, 1}}) {
    const double from = component ? 1.0 : 0.2, to = component ? 0.3 : 1.4;
    driven.robot.constraints.push_back(
        {name, Relation{joints},
         std::make_shared<LinePath>(Vector::Constant(1, from), Vector::Constant(1, to), 1.0, 5)});
  }
  driven.plant = driven.robot;
  const Solution absolute = solved(driven);
  ASSERT_EQ(absolute.status, Status::solved) << absolute.message;
  check_absolute_forces(absolute, tree);
  const double torque = tree.u.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < tree.t.size(); ++i)
    for (int k = 0; k < 2; ++k) expect_close(absolute.lambda(4 + k, i), tree.u(k, i), torque);
}

TEST(TwoBars, StraightLineByThreeRoutes) {
  const Job job = example_job("anthropomorphic_line");
  const Solution tree = solved(job);
  ASSERT_EQ(tree.status, Status::solved);
  check_tree(job, tree);

  // The tool itself is driven: the effective force there, mapped to the joints by the Jacobian
  // (with the "+" that its print misses).
  const Solution absolute = solved(example_job("anthropomorphic_absolute"));
  ASSERT_EQ(absolute.status, Status::solved) << absolute.message;
  const double torque = tree.u.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < tree.t.size(); ++i) {
    const double p2 = tree.q(0, i), p3 = p2 + tree.q(1, i);
    Eigen::Matrix2d J;
    J << -d2 * std::sin(p2) - r3 * std::sin(p3), -r3 * std::sin(p3),
        d2 * std::cos(p2) + r3 * std::cos(p3), r3 * std::cos(p3);
    const Eigen::Vector2d T = J.transpose() * absolute.lambda.col(i).segment<2>(4);
    for (int k = 0; k < 2; ++k) expect_close(T[k], tree.u(k, i), torque);
    // What drives the tool directly does not pass through the joints: with F at C on top of it,
    // joint A and B carry the same as when their torques do the work, less that force.
    const auto F = newton({tree.q.col(i), tree.v.col(i), tree.vdot.col(i)});
    for (int axis = 0; axis < 2; ++axis)
      expect_close(absolute.lambda(axis, i) + absolute.lambda(4 + axis, i), F[axis], (m2 + m3) * g);
  }
}

}  // namespace
}  // namespace tauflex
