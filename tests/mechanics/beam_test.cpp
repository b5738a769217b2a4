// Beams against closed forms: frequencies at rest and while turning, spin-up, mass properties, the
// rigid rod, energy, spin-up, chains of rigid pieces and large deflections. Published digits stand
// at the tests, with their source.
#include <gtest/gtest.h>

#include "math/random.hpp"
#include "mechanics/comparison.hpp"
#include "mechanics/unit_beam.hpp"
#include "tauflex/math/decompositions.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

// Angular frequencies of small motion about q at rest in all but the first `held` velocities.
Vector frequencies(const Robot& robot, const Vector& q, const Vector& v, int held) {
  MechanicsData data(robot);
  const int n = robot.nv() - held;
  joint_torque_derivatives(robot, data, q, v, Vector::Zero(robot.nv()));
  const Matrix M = data.M.bottomRightCorner(n, n), K = data.dtau_dq.bottomRightCorner(n, n);
  Vector squares = eigenvalues(solve_linear(M, K)).real();
  std::sort(squares.begin(), squares.end());
  return squares.cwiseSqrt();
}

// Blevins; 16 digits from the roots of 1 + cos x cosh x = 0.
TEST(Beam, ClampedFreeFrequenciesConvergeWithOrderFour) {
  const double exact[3] = {3.516015268500151, 22.03449156466677, 61.69721441354910};
  double error[4][3];
  int row = 0;
  for (const int elements : {2, 4, 8, 16}) {
    const Robot robot(unit_beam(elements, JointType::fixed));
    const Vector still = Vector::Zero(robot.nv());
    const Vector w = frequencies(robot, still, still, 0);
    for (int k = 0; k < 3; ++k) error[row][k] = std::abs(w[k] / exact[k] - 1);
    ++row;
  }
  for (int k = 0; k < 3; ++k) {
    const double order = std::log2(error[2][k] / error[3][k]);
    EXPECT_NEAR(order, 4, 0.15) << k;  // the next term of the error is h^2 of it
  }
  EXPECT_LT(error[2][0], 2.5e-6);  // 8 elements: 2.1e-6 in theory
}

// Wright et al. 1982, as in Hodges & Rutkowski: flapwise (out of the plane of rotation), hub radius
// 0. Without second-order displacements nothing is stiffer when it turns.
TEST(Beam, TurningStiffensIt) {
  const double exact[3][2] = {
      {3.6816468140, 22.1810111506}, {4.1373195730, 22.6149219565}, {4.7972785324, 23.3202636743}};
  RobotDescription description = unit_beam(8, JointType::revolute);
  description.links[0].beam->EI_y = 0;
  description.links[0].beam->EI_z = 1;
  const Robot robot(description);
  for (int eta = 1; eta <= 3; ++eta) {
    Vector v = Vector::Zero(robot.nv());
    v[0] = eta;
    const Vector w = frequencies(robot, Vector::Zero(robot.nq()), v, 1);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(w[k] / exact[eta - 1][k], 1, 1e-4) << eta;  // 8 elements
  }
}

TEST(Beam, IsTheRigidRodWhenItDoesNotMove) {
  RobotDescription description;
  Link link;
  link.name = "arm";
  link.joint.type = JointType::floating;
  link.beam = Beam{};
  link.beam->from = {0.1, 0.2, 0.3};
  link.beam->to = {0.5, -0.4, 0.9};
  link.beam->mass_per_length = 1.7;
  link.beam->EI_y = link.beam->EI_z = link.beam->GJ = link.beam->EA = 1;
  link.beam->twist_inertia = 0.01;
  link.beam->elements = 3;
  link.beam->segments = 2;
  description.links.push_back(link);
  const Robot beam(description);
  LinkInertia& rod = description.links[0].inertia;
  const double length = link.beam->length();
  const Vector3 x = (link.beam->to - link.beam->from) / length;
  rod.mass = 1.7 * length;
  rod.com = 0.5 * (link.beam->from + link.beam->to);
  rod.about_com = rod.mass * length * length / 12 * (Matrix3::Identity() - x * x.transpose()) +
                  0.01 * length * x * x.transpose();
  rod.given.fill(true);
  description.links[0].beam.reset();
  const Robot rigid(description);
  MechanicsData data(beam), expected(rigid);
  mass_matrix(beam, data, beam.coordinates().neutral);
  mass_matrix(rigid, expected, rigid.coordinates().neutral);
  EXPECT_LT(relative_difference(data.M.topLeftCorner(6, 6), expected.M), 1e-13);  // rounding
}

// Power of the torques = change of energy + dissipation, along any motion; second order, all ways.
TEST(Beam, EnergyBalance) {
  RobotDescription description = unit_beam(2, JointType::revolute);
  description.gravity = {1, 2, -9.81};
  Beam& beam = *description.links[0].beam;
  beam.EI_z = 2;
  beam.EA = 30;
  beam.GJ = 3;
  beam.twist_inertia = 0.1;
  beam.damping_ratio = 0.1;
  beam.masses = {{0.6, 0.4}};
  const Robot robot(description);
  MechanicsData data(robot);
  Random random(5);
  for (int trial = 0; trial < 5; ++trial) {
    const Vector q = random.vector(robot.nq(), 0.3), v = random.vector(robot.nv(), 1),
                 vdot = random.vector(robot.nv(), 3);
    const double rate = slope([&](double s) {
      const Energy e = energy(robot, data, q + s * v + 0.5 * s * s * vdot, v + s * vdot);
      return e.kinetic + e.potential;
    });
    joint_torques<double>(robot, data, q, v, vdot);
    const double power = data.tau.dot(v), lost = dissipated_power(robot, data, v);
    EXPECT_NEAR(rate, power - lost, 1e-9 * std::abs(power));  // differences: rounding of E / 2e-3
  }
}

// The rigid arm's torques in the limit, with an error of 1/EI.
TEST(Beam, IsTheRigidRobotWhenItIsStiff) {
  RobotDescription description = unit_beam(2, JointType::revolute);
  description.gravity = {0, -9.81, 0};
  description.links[0].beam->EI_y = 1e10;
  const Robot robot(description);
  LinkInertia& rod = description.links[0].inertia;
  rod.mass = 1;
  rod.com = {0.5, 0, 0};
  rod.about_com(1, 1) = rod.about_com(2, 2) = 1.0 / 12;
  rod.given.fill(true);
  description.links[0].beam.reset();
  const Robot rigid(description);
  MechanicsData data(robot), expected(rigid);
  const Vector q = Vector::Constant(1, 0.4), v = Vector::Constant(1, 2.0),
               a = Vector::Constant(1, 3.0);
  inverse_dynamics<double>(rigid, expected, q, v, a);
  // deflection under its own inertia: K w = -forces of the rigid motion
  Vector q_b = Vector::Zero(robot.nq()), v_b = q_b, a_b = q_b;
  q_b[0] = 0.4;
  v_b[0] = 2;
  a_b[0] = 3;
  const int n = robot.nv() - 1;
  for (int iteration = 0; iteration < 3; ++iteration) {
    joint_torque_derivatives(robot, data, q_b, v_b, a_b);
    q_b.tail(n) -= solve_linear(data.dtau_dq.bottomRightCorner(n, n), data.tau.tail(n));
  }
  joint_torques<double>(robot, data, q_b, v_b, a_b);
  EXPECT_LT(data.tau.tail(n).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(data.tau[0] / expected.tau[0], 1, 1e-8);  // 1/EI times loads
}

// Elastica of Bisshopp & Drucker: a cantilever under a force P across its end.
TEST(Beam, LargeDeflectionNeedsSegments) {
  const double shorter[2] = {0.056433, 0.160642}, lower[2] = {0.301721, 0.493457};
  for (int load = 1; load <= 2; ++load) {
    RobotDescription description = unit_beam(1, JointType::fixed);
    description.links[0].beam->segments = 16;
    description.gravity = {0, 0, 0};
    // light beam, heavy end: gravity is the force P
    description.links[0].beam->mass_per_length = 1e-9;
    fix_mass_to_end(description, 1);
    description.gravity = {0, -1.0 * load, 0};
    const Robot robot(description);
    MechanicsData data(robot);
    Vector q = Vector::Zero(robot.nq());
    const Vector still = q;
    for (int iteration = 0; iteration < 30; ++iteration) {
      joint_torque_derivatives(robot, data, q, still, still);
      q -= solve_linear(data.dtau_dq, data.tau);
    }
    kinematics<double>(robot, data, q);
    const Vector3 tip = frame_position(data, robot.frames()[robot.find_frame("tip")]);
    EXPECT_NEAR(1 - tip[0], shorter[load - 1], 1e-3 * shorter[load - 1]);  // 16 segments
    EXPECT_NEAR(-tip[1], lower[load - 1], 1e-3 * lower[load - 1]);
  }
}

// Kane, Ryan & Banerjee 1987; Simo & Vu-Quoc 1986: a beam whose base is turned up to 6 rad/s in 15
// s. With linear displacements the end runs away; afterwards the stretch is that of the steady
// turn, EA u'' = -rho A W^2 (x + u), u(L) = L (tan(a)/a - 1) with a = W L sqrt(rho A / EA).
TEST(Beam, SpinUp) {
  RobotDescription description = unit_beam(4, JointType::revolute);
  Beam& beam = *description.links[0].beam;
  beam.to = {10, 0, 0};
  beam.mass_per_length = 1.2;
  beam.EI_y = 1.4e4;
  beam.EA = 2.8e7;
  description.frames[0].X_LF.p = {10, 0, 0};
  const Robot robot(description);
  MechanicsData data(robot);
  const int n = robot.nv() - 1;
  const auto turn = [](double t, double& angle, double& rate, double& acceleration) {
    const double p = 2 * M_PI / 15;
    angle = t < 15 ? 0.4 * (t * t / 2 + (std::cos(p * t) - 1) / (p * p)) : 6 * t - 45;
    rate = t < 15 ? 0.4 * (t - std::sin(p * t) / p) : 6;
    acceleration = t < 15 ? 0.4 * (1 - std::cos(p * t)) : 0;
  };
  // implicit midpoint rule: bending is slow, stretch follows
  Vector q = Vector::Zero(robot.nq()), v = q, a = q;
  const double h = 0.02;
  double largest_lag = 0, last = 0;
  for (double t = 0; t < 20; t += h) {
    Vector q1 = q, v1 = v;
    for (int iteration = 0; iteration < 4; ++iteration) {
      Vector qm = 0.5 * (q + q1), vm = 0.5 * (v + v1);
      a = (v1 - v) / h;
      turn(t + h / 2, qm[0], vm[0], a[0]);
      joint_torque_derivatives(robot, data, qm, vm, a);
      const Matrix J = data.M.bottomRightCorner(n, n) / h +
                       0.5 * data.dtau_dv.bottomRightCorner(n, n) +
                       0.25 * h * data.dtau_dq.bottomRightCorner(n, n);
      v1.tail(n) -= solve_linear(J, data.tau.tail(n));
      q1.tail(n) = q.tail(n) + 0.5 * h * (v.tail(n) + v1.tail(n));
    }
    q = q1;
    v = v1;
    Vector pose = q;
    pose[0] = 0;
    kinematics<double>(robot, data, pose);
    const Vector3 tip = frame_position(data, robot.frames()[robot.find_frame("tip")]);
    largest_lag = std::min(largest_lag, tip[1]);
    if (t > 17) last = std::max(last, std::abs(tip[1]));
  }
  EXPECT_LT(largest_lag, -0.4);  // a lag of more than half a metre on the way, as published
  EXPECT_GT(largest_lag, -0.7);
  EXPECT_LT(last, 5e-3);  // and back to zero, but for what rings undamped: 1 % of the lag
  // the steady stretch, without bending
  Vector steady = Vector::Zero(robot.nq()), turning = steady, none = steady;
  turning[0] = 6;
  for (int iteration = 0; iteration < 5; ++iteration) {
    joint_torque_derivatives(robot, data, steady, turning, none);
    steady.tail(n) -= solve_linear(data.dtau_dq.bottomRightCorner(n, n), data.tau.tail(n));
  }
  kinematics<double>(robot, data, steady);
  const Vector3 tip = frame_position(data, robot.frames()[robot.find_frame("tip")]);
  EXPECT_NEAR((tip[0] - 10) / 5.14317455e-4, 1, 1e-3);  // linear elements: (a/4)^2
}

// A chain of rigid pieces and rotary springs, n of them, is the beam with an error of 1/n^2.
TEST(Beam, AChainOfRigidPiecesConvergesToIt) {
  const Robot beam(unit_beam(8, JointType::fixed));
  const Vector still = Vector::Zero(beam.nv());
  const double exact = frequencies(beam, still, still, 0)[0];
  double error[2];
  int row = 0;
  for (const int n : {8, 16}) {
    RobotDescription chain;
    chain.gravity.setZero();
    const double l = 1.0 / n;
    for (int i = 0; i < n; ++i) {
      Link link;
      link.name = "piece" + std::to_string(i);
      if (i > 0) link.joint.parent = "piece" + std::to_string(i - 1);
      link.joint.X_PJ.p = {i > 0 ? l : 0, 0, 0};
      // half a piece gives at the clamp
      link.spring = Spring{i > 0 ? 1 / l : 2 / l};
      link.inertia.mass = l;
      link.inertia.com = {l / 2, 0, 0};
      link.inertia.about_com(1, 1) = link.inertia.about_com(2, 2) = l * l * l / 12;
      link.inertia.given.fill(true);
      chain.links.push_back(link);
    }
    const Robot robot(chain);
    const Vector zero = Vector::Zero(robot.nv());
    error[row++] = std::abs(frequencies(robot, zero, zero, 0)[0] / exact - 1);
  }
  EXPECT_LT(error[1], 5e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.3);  // order 2
}

}  // namespace
}  // namespace tauflex
