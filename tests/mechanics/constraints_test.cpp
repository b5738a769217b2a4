// Laws: constraints of every kind, springs between frames, and joints with quaternions, on random
// robots. Derivatives by Dual, time derivatives by Jet, motion by the equations it must satisfy.
#include "tauflex/mechanics/constraints.hpp"

#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"
#include "tauflex/trajectory/sine.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-11;  // relative to the largest entry; sums of some hundred products

std::shared_ptr<const OutputPath> sine(int size) {
  return std::make_shared<SinePath>(Vector::Constant(size, 0.3), Vector::LinSpaced(size, 0.1, 0.4),
                                    0.7, 0.2, 1.0);
}

RobotDescription constrained_robot(unsigned seed) {
  RobotDescription robot =
      random_robot(seed, {.links = 7, .quaternions = true, .beams = seed >= 100});
  Random random(500 + seed);
  const auto link = [&](int i) { return "link" + std::to_string(i); };
  robot.frames.push_back({"hook", link(4), {random.rotation(), random.vector3(0.5)}, ""});
  for (const Link& carrier : robot.links)
    if (carrier.name == link(4) && carrier.beam) robot.frames.back().X_LF.p = carrier.beam->to;
  // joints that take up rope
  JointSum drums;
  const Robot plain(robot);
  for (int k = 0; k < plain.tree_nv() && drums.size() < 2; ++k)
    if (const int at = plain.coordinates().of_velocity[k]; at >= 0)
      drums.emplace_back(plain.coordinates().names[at], random.uniform(0.2, 0.5));
  auto& c = robot.constraints;
  c.push_back({"six", Closure{"tool", "hook"}});
  c.push_back({"hinge", Closure{link(2), link(5), {true, false, true, true, true, false}}});
  c.push_back({"pins", Closure{"bench", link(3), {false, false, false, false, true, false}}});
  c.push_back(
      {"moved", Closure{"world", "hook", {true, true, false, false, false, false}}, sine(2)});
  c.push_back({"rod", Distance{link(1), "tool", 0.7}});
  c.push_back({"stretched", Distance{"bench", "tool", 0}, sine(1)});
  c.push_back({"winch", Distance{"world", "tool", 0.6, drums}});
  c.push_back({"hoist", Distance{link(0), "hook", 0, drums}, sine(1)});
  c.push_back({"plane", OnPlane{"tool", "world", random.vector3(1), random.vector3(1)}});
  c.push_back({"on_link", OnPlane{"tool", link(2), random.vector3(1), random.vector3(1)}});
  c.push_back({"ball", OnSphere{"hook", link(1), random.vector3(1), 0.8}});
  c.push_back({"rail", OnLine{"hook", "world", random.vector3(1), random.vector3(1)}});
  c.push_back({"ring", OnCircle{"tool", link(0), random.vector3(1), random.vector3(1), 0.4}});
  c.push_back({"cam", OnPolynomial{"tool", "bench", {0.1, -0.3, 0.5, 0.2}}});
  robot.frame_springs.push_back({"tendon", "tool", link(1), 120, 3, 0.2});
  robot.frame_springs.push_back({"stay", "world", "hook", 50, 1, 0.0});
  return robot;
}

class Constraints : public ::testing::TestWithParam<unsigned> {
 protected:
  Constraints() : robot(constrained_robot(GetParam())), data(robot), dual(robot) {
    Random random(900 + GetParam());
    q = with_small_deflections(robot.description(), random.vector(robot.nq(), 1));
    for (const Quaternion& at : robot.coordinates().quaternions) q.segment<4>(at.q).normalize();
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    lambda = random.vector(robot.constraint_count(), 10);
    n = robot.tree_nv();
    m = robot.constraint_count();
  }

  // q moving in the direction of velocity k.
  VectorOf<Dual> moving(int k) const {
    Vector qdot(robot.nq());
    position_rate<double>(robot, q, Vector::Unit(robot.nv(), k), qdot);
    return along(q, qdot);
  }
  // Columns: derivative of f(q) in the direction of each tree velocity.
  template <class F>
  Matrix by_q(const F& f) const {
    Matrix J;
    for (int k = 0; k < n; ++k) {
      const Vector column = slopes(f(moving(k)));
      if (k == 0) J.resize(column.size(), n);
      J.col(k) = column;
    }
    return J;
  }

  Robot robot;
  MechanicsData data;
  MotionData<Dual> dual;
  Vector q, v, vdot, lambda;
  int n = 0, m = 0;
};

TEST_P(Constraints, QuaternionsHaveOneCoordinateMore) {
  EXPECT_EQ(robot.nq() - robot.nv(), static_cast<int>(robot.coordinates().quaternions.size()));
  Vector qdot(robot.nq()), back(robot.nv());
  position_rate<double>(robot, q, v, qdot);
  velocity_of_rate<double>(robot, q, qdot, back);
  EXPECT_LT(relative_difference(back, v), rounding);
}

TEST_P(Constraints, TheJacobianIsTheDerivative) {
  kinematics<double>(robot, data, q);
  Matrix G(m, n);
  constraint_jacobian(robot, data, G);
  const Matrix expected = by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
    kinematics<Dual>(robot, dual, x);
    VectorOf<Dual> g(m);
    constraint_values<Dual>(robot, dual, x, Dual(0.3), g);
    return g;
  });
  EXPECT_LT(relative_difference(G, expected), rounding);
  Vector tau = Vector::Zero(n);
  add_constraint_forces<double>(robot, data, lambda, -2, tau);
  EXPECT_LT(relative_difference(tau, -2 * G.transpose() * lambda), rounding);
}

TEST_P(Constraints, SecondDerivatives) {
  kinematics<double>(robot, data, q);
  Matrix force = Matrix::Zero(n, n), rate(m, n);
  add_constraint_force_derivative(robot, data, lambda, 1, force);
  constraint_rate_derivative(robot, data, v, rate);
  const auto forces_at = [&](const VectorOf<Dual>& x, const Vector& multipliers) {  // G^T lambda
    kinematics<Dual>(robot, dual, x);
    VectorOf<Dual> tau = VectorOf<Dual>::Zero(n);
    add_constraint_forces<Dual>(robot, dual, multipliers.cast<Dual>().eval(), 1, tau);
    return tau;
  };
  const Matrix force_expected =
      by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> { return forces_at(x, lambda); });
  const Matrix rate_expected = by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
    VectorOf<Dual> rates(m);  // G v, row by row
    for (int i = 0; i < m; ++i)
      rates[i] = forces_at(x, Vector::Unit(m, i)).dot(v.head(n).cast<Dual>());
    return rates;
  });
  EXPECT_LT(relative_difference(force, force_expected), rounding);
  EXPECT_LT(relative_difference(rate, rate_expected), rounding);
}

// The second time derivative of g along a motion, by Jets.
TEST_P(Constraints, TheBiasIsTheAccelerationWithoutVdot) {
  MotionData<Jet> jets(robot);
  const double t = 0.4;
  // q(t) to second order: q'' = N(q) vdot + N(q') v
  VectorOf<Dual> qdot_dual(robot.nq());
  Vector qdot(robot.nq());
  position_rate<double>(robot, q, v, qdot);
  const VectorOf<Dual> q_moving = along(q, qdot), v_moving = along(v, vdot);
  position_rate<Dual>(robot, q_moving, v_moving, qdot_dual);
  const Vector qddot = slopes(qdot_dual);
  VectorOf<Jet> path(robot.nq()), g(m);
  for (int i = 0; i < robot.nq(); ++i) {
    path[i] = Jet::zero(2);
    path[i][0] = q[i];
    path[i][1] = qdot[i];
    path[i][2] = qddot[i] / 2;
  }
  kinematics<Jet>(robot, jets, path);
  constraint_values<Jet>(robot, jets, path, Jet::time(t, 2), g);
  kinematics<double>(robot, data, q);
  Matrix G(m, n);
  constraint_jacobian(robot, data, G);
  Vector rates(m), gamma(m), first(m), second(m);
  constraint_rates(robot, t, rates);
  constraint_bias(robot, data, q, v, t, gamma);
  for (int i = 0; i < m; ++i) {
    first[i] = g[i].derivative(1);
    second[i] = g[i].derivative(2);
  }
  EXPECT_LT(relative_difference(G * v.head(n) - rates, first), rounding);
  EXPECT_LT(relative_difference(G * vdot.head(n) + gamma, second), rounding);
}

TEST_P(Constraints, DerivativesOfJointTorques) {
  joint_torque_derivatives(robot, data, q, v, vdot);
  const VectorOf<Dual> v0 = v.cast<Dual>(), a0 = vdot.cast<Dual>(), q0 = q.cast<Dual>();
  const Matrix by_position = by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
    joint_torques<Dual>(robot, dual, x, v0, a0);
    return dual.tau;
  });
  const Matrix by_velocity = dual_jacobian(
      [&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
        joint_torques<Dual>(robot, dual, q0, x, a0);
        return dual.tau;
      },
      v);
  EXPECT_LT(relative_difference(data.dtau_dq, by_position), rounding);
  EXPECT_LT(relative_difference(data.dtau_dv, by_velocity.leftCols(n)), rounding);
}

TEST_P(Constraints, DerivativesOfFrameJacobians) {
  kinematics<double>(robot, data, q);
  for (const Frame& frame : robot.frames()) {
    Matrix J(3, n), change(3, n);
    frame_jacobian<double>(robot, data, frame, J);
    frame_jacobian_derivative(robot, data, frame, v, change);
    const Matrix J_expected = by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
      kinematics<Dual>(robot, dual, x);
      return as_vector<Dual>(frame_position(dual, frame));
    });
    const Matrix change_expected = by_q([&](const VectorOf<Dual>& x) -> VectorOf<Dual> {
      kinematics<Dual>(robot, dual, x);
      MatrixOf<Dual> J_dual(3, n);
      frame_jacobian<Dual>(robot, dual, frame, J_dual);
      return J_dual * v.head(n).cast<Dual>();
    });
    EXPECT_LT(relative_difference(J, J_expected), rounding) << frame.name;
    EXPECT_LT(relative_difference(change, change_expected), rounding) << frame.name;
  }
}

TEST_P(Constraints, MassMatrixAndForwardDynamicsInvertInverseDynamics) {
  const Vector zero = Vector::Zero(robot.nv());
  inverse_dynamics<double>(robot, data, q, zero, zero);
  const Vector weight = data.tau;
  Matrix columns(n, n);
  for (int k = 0; k < n; ++k) {
    inverse_dynamics<double>(robot, data, q, zero, Vector::Unit(robot.nv(), k));
    columns.col(k) = data.tau - weight;
  }
  columns.diagonal() += robot.actuation().armature;
  mass_matrix(robot, data, q);
  EXPECT_LT(relative_difference(data.M, columns), rounding);
  inverse_dynamics<double>(robot, data, q, v, vdot);
  const Vector tau = data.tau + robot.actuation().armature.cwiseProduct(vdot.head(n));
  Vector acceleration(n);
  tree_accelerations(robot, data, q, v, tau, acceleration);
  EXPECT_LT(relative_difference(acceleration, vdot.head(n)), 1e-8);  // times the condition of M
}

// d(kinetic + potential)/dt = motor power - dissipated power, quaternions and springs included.
TEST_P(Constraints, EnergyBalance) {
  const Robot free = robot.with_constraint_rows({});
  const Vector u = Vector::LinSpaced(static_cast<int>(free.actuation().drives.size()), -5, 5);
  MechanicsData of_free(free);
  Vector qdot(free.nq()), a(free.nv());
  forward_dynamics(free, of_free, q, v, u, a);
  position_rate<double>(free, q, v, qdot);
  const double power = motor_power(free, v, u) - dissipated_power(free, of_free, v);
  double size = std::abs(power);
  const double rate = slope([&](double s) {
    const Energy e = energy(free, of_free, q + s * qdot, v + s * a);
    size = std::max(size, std::abs(e.kinetic) + std::abs(e.potential));
    return e.kinetic + e.potential;
  });
  EXPECT_NEAR(rate, power, 1e-8 * size);  // condition of M
}

// Some of the rows at a time, so that they are independent: the motion satisfies them and the
// equations of motion with G^T lambda.
TEST_P(Constraints, ConstrainedAccelerations) {
  Random random(77 + GetParam());
  kinematics<double>(robot, data, q);
  Matrix all(m, n);
  constraint_jacobian(robot, data, all);
  std::vector<int> rows;
  for (int i = 0; i < m && static_cast<int>(rows.size()) < n / 3; ++i) {
    if (!random.chance(0.5)) continue;
    rows.push_back(i);
    const Vector sigma = singular_values(all(rows, Eigen::all));
    if (sigma[sigma.size() - 1] <= 1e-3 * sigma[0]) rows.pop_back();  // 0 for frames of one body
  }
  const Robot held = robot.with_constraint_rows(rows);
  ConstrainedDynamics dynamics(held);
  const Vector u = Vector::LinSpaced(static_cast<int>(held.actuation().drives.size()), -5, 5);
  Vector a(held.nv()), multipliers(held.constraint_count()), gamma(held.constraint_count());
  const double t = 0.4;
  dynamics.accelerations(q, v, u, t, a, multipliers);
  MechanicsData other(held);
  Vector r(held.nv());
  motion_forces<double>(held, other, q, v, a, r);
  const double size = r.cwiseAbs().maxCoeff() + multipliers.cwiseAbs().sum();
  r -= input_matrix(held) * u;
  add_constraint_forces<double>(held, other, multipliers, -1, r);
  EXPECT_LT(r.cwiseAbs().maxCoeff(), 1e-8 * size);  // condition of the whole matrix
  Matrix G(held.constraint_count(), n);
  constraint_jacobian(held, other, G);
  constraint_bias(held, other, q, v, t, gamma);
  EXPECT_LT((G * a.head(n) + gamma).cwiseAbs().maxCoeff(),
            1e-9 * (1 + gamma.cwiseAbs().maxCoeff()));
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, Constraints, ::testing::Range(0u, 10u));
INSTANTIATE_TEST_SUITE_P(RobotsWithBeams, Constraints, ::testing::Range(100u, 106u));

}  // namespace
}  // namespace tauflex
