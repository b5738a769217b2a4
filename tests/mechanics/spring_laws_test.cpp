// Laws of drives and springs in full: hardening, tables, Coulomb friction, coupled axes, springs in
// several directions, on random robots.
#include "tauflex/mechanics/spring_laws.hpp"

#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/motion.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-11;  // relative to the largest entry

// Points up to a stretch of about 1, from either side of 0 or from 0 on.
std::vector<SpringPoint> random_table(Random& random) {
  std::vector<SpringPoint> points = {{0, 0}};
  while (points.back().stretch < 1)
    points.push_back({points.back().stretch + random.uniform(0.1, 0.5),
                      points.back().torque + random.uniform(5, 100)});
  if (random.chance(0.5)) points.insert(points.begin(), {-0.3, -random.uniform(5, 100)});
  return points;
}

RobotDescription full_robot(unsigned seed) {
  RobotDescription robot = random_robot(seed, {.links = 8});
  Random random(4000 + seed);
  const bool tables = seed % 2 == 1;  // they have no place in stiffness matrices
  if (tables)
    for (Coupling& coupling : robot.couplings) coupling.stiffness.resize(0, 0);
  Transmission transmission;
  for (Link& link : robot.links) {
    for (size_t k = 0; k < 6; ++k)
      if (random.chance(0.15) && link.joint.type != JointType::fixed) {
        link.springs.free[k] = true;
        link.springs.spring[k] = {random.uniform(10, 100),
                                  random.uniform(0, 2),
                                  random.uniform(-0.2, 0.2),
                                  {random.uniform(0, 50)}};
      }
    if (link.spring) link.spring->hardening = {random.uniform(0, 50), random.uniform(0, 5)};
    if (link.spring && tables) {
      link.spring->stiffness = 0;
      link.spring->hardening.clear();
      link.spring->table = random_table(random);
    }
    if (!link.drive) continue;
    link.drive->coulomb = random.uniform(0, 2);
    link.drive->coulomb_speed = random.uniform(0.5, 2);
    if (!link.drive->elastic) continue;
    link.drive->elastic->hardening = {random.uniform(0, 100), random.uniform(0, 10)};
    if (tables) {
      link.drive->elastic->stiffness = 0;
      link.drive->elastic->hardening.clear();
      link.drive->elastic->table = random_table(random);
    }
    transmission.links.push_back(link.name);
  }
  const int n = static_cast<int>(transmission.links.size());
  transmission.ratio = Matrix::Identity(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j && random.chance(0.4)) transmission.ratio(i, j) = random.uniform(-0.3, 0.3);
  if (n > 0) robot.transmissions.push_back(transmission);
  return robot;
}

class SpringLaws : public ::testing::TestWithParam<unsigned> {
 protected:
  SpringLaws() : robot(full_robot(GetParam())), data(robot), dual(robot) {
    Random random(6000 + GetParam());
    q = random.vector(robot.nq(), 1);
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    u = random.vector(static_cast<int>(robot.actuation().drives.size()), 10);
  }
  Robot robot;
  MechanicsData data;
  MotionData<Dual> dual;
  Vector q, v, vdot, u;
};

TEST_P(SpringLaws, DerivativesOfTheWholeMotion) {
  MotionDerivatives d(robot);
  motion_derivatives(robot, data, q, v, vdot, d);
  const VectorOf<Dual> q0 = q.cast<Dual>(), v0 = v.cast<Dual>(), a0 = vdot.cast<Dual>();
  const auto forces = [&](const VectorOf<Dual>& q1, const VectorOf<Dual>& v1,
                          const VectorOf<Dual>& a1) -> VectorOf<Dual> {
    VectorOf<Dual> r(robot.nv());
    motion_forces<Dual>(robot, dual, q1, v1, a1, r);
    return r;
  };
  const Matrix by_q = dual_jacobian([&](const auto& x) { return forces(x, v0, a0); }, q);
  const Matrix by_v = dual_jacobian([&](const auto& x) { return forces(q0, x, a0); }, v);
  const Matrix by_a = dual_jacobian([&](const auto& x) { return forces(q0, v0, x); }, vdot);
  EXPECT_LT(relative_difference(d.stiffness, by_q), rounding);
  EXPECT_LT(relative_difference(d.damping, by_v), rounding);
  EXPECT_LT(relative_difference(d.mass, by_a), rounding);
}

TEST_P(SpringLaws, ForwardDynamicsInvertsTheMotionForces) {
  Vector a(robot.nv()), r(robot.nv());
  forward_dynamics(robot, data, q, v, u, a);
  motion_forces<double>(robot, data, q, v, a, r);
  const double size = r.cwiseAbs().maxCoeff() + u.cwiseAbs().sum() + data.tau.cwiseAbs().maxCoeff();
  EXPECT_LT((r - input_matrix(robot) * u).cwiseAbs().maxCoeff(), 1e-9 * size);  // condition of M
  // and the explicit torques say the same where joints are driven
  Vector again(u.size());
  joint_torques<double>(robot, data, q, v, a);
  drive_spring_torques<double>(robot, data, q, v);
  motor_torques<double>(robot, data, v, a, again);
  EXPECT_LT((again - u).cwiseAbs().maxCoeff(), 1e-9 * size);
}

TEST_P(SpringLaws, EnergyBalance) {
  Vector a(robot.nv());
  forward_dynamics(robot, data, q, v, u, a);
  const double power = motor_power(robot, v, u) - dissipated_power(robot, data, v);
  double size = std::abs(power);
  const double rate = slope([&](double s) {
    const Energy e = energy(robot, data, q + s * v, v + s * a);
    size = std::max(size, std::abs(e.kinetic) + std::abs(e.potential));
    return e.kinetic + e.potential;
  });
  EXPECT_NEAR(rate, power, 1e-9 * size);  // condition of M
}

TEST_P(SpringLaws, GradientOfDissipation) {
  kinematics<double>(robot, data, q);
  Vector gradient = Vector::Zero(robot.nv());
  add_dissipated_power_gradient(robot, data, v, gradient);
  for (int k = 0; k < robot.nv(); ++k) {
    const Vector h = 1e-5 * Vector::Unit(robot.nv(), k);
    const double difference =
        (dissipated_power(robot, data, v + h) - dissipated_power(robot, data, v - h)) / 2e-5;
    EXPECT_NEAR(gradient[k], difference, 1e-6 * (1 + gradient.cwiseAbs().maxCoeff())) << k;  // h^2
  }
}

TEST_P(SpringLaws, RotorAnglesReachTheSprings) {
  if (robot.rotors() == 0) return;
  Vector at = Vector::LinSpaced(robot.rotors(), -1, 1), x = q;
  const Vector angles = robot.actuation().rotor_angles(at);
  for (int k = 0; k < robot.rotors(); ++k) {
    x[robot.actuation().elastic_drive(k).rotor_q] = angles[k];
    x[robot.actuation().elastic_drive(k).joint_q] = at[k];
  }
  drive_spring_torques<double>(robot, data, x, Vector::Zero(robot.nv()));
  EXPECT_LT(data.stretch.cwiseAbs().maxCoeff(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, SpringLaws, ::testing::Range(0u, 10u));

}  // namespace
}  // namespace tauflex
