// Laws of mechanics that every robot obeys, on random trees with springs and drives.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/forward_dynamics.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

constexpr double rounding = 1e-12;  // relative to the largest entry; sums of some hundred products
constexpr double solved = 1e-10;    // where M is inverted: rounding times its condition

class Laws : public ::testing::TestWithParam<unsigned> {
 protected:
  Laws()
      : description(random_robot(GetParam(), {.links = 3 + static_cast<int>(GetParam() % 100),
                                              .branches = GetParam() % 3 != 0,
                                              .beams = GetParam() >= 100})),
        robot(description),
        data(robot) {
    Random random(3000 + GetParam());
    q = with_small_deflections(robot.description(), random.vector(robot.nq(), 3));
    v = random.vector(robot.nv(), 2);
    vdot = random.vector(robot.nv(), 5);
    jerk = random.vector(robot.nv(), 10);
    u = random.vector(static_cast<int>(robot.actuation().drives.size()), 10);
  }

  RobotDescription description;
  Robot robot;
  MechanicsData data;
  Vector q, v, vdot, jerk, u;
};

// x(t) = x0 + x1 t + x2 t^2/2 + x3 t^3/6
VectorOf<Jet> motion(const std::vector<Vector>& derivatives, int order) {
  VectorOf<Jet> x(derivatives.front().size());
  for (int i = 0; i < x.size(); ++i) {
    x[i] = Jet::zero(order);
    double factorial = 1;
    for (int k = 0; k <= order && k < static_cast<int>(derivatives.size()); ++k) {
      factorial *= std::max(k, 1);
      x[i][k] = derivatives[static_cast<size_t>(k)][i] / factorial;
    }
  }
  return x;
}

Vector derivative(const VectorOf<Jet>& x, int k) {
  Vector y(x.size());
  for (int i = 0; i < x.size(); ++i) y[i] = x[i].derivative(k);
  return y;
}

// Motor torques of a motion; data.tau and data.spring_torque say what the joints need and get.
void inverse(const Robot& robot, MechanicsData& data, const Vector& q, const Vector& v,
             const Vector& vdot, Vector& u) {
  joint_torques<double>(robot, data, q, v, vdot);
  drive_spring_torques<double>(robot, data, q, v);
  motor_torques<double>(robot, data, v, vdot, u);
}

TEST_P(Laws, ColumnsOfTheMassMatrixAreInverseDynamicsOfUnitAccelerations) {
  const int n = robot.tree_nv();
  Matrix columns(n, n);
  inverse_dynamics<double>(robot, data, q, Vector::Zero(n), Vector::Zero(n));
  const Vector weight = data.tau;
  for (int k = 0; k < n; ++k) {
    inverse_dynamics<double>(robot, data, q, Vector::Zero(n), Vector::Unit(n, k));
    columns.col(k) = data.tau - weight;
  }
  columns.diagonal() += robot.actuation().armature;
  mass_matrix(robot, data, q);
  EXPECT_LT(relative_difference(data.M, columns), rounding);
}

TEST_P(Laws, TheMassMatrixIsSymmetricAndPositiveDefinite) {
  mass_matrix(robot, data, q);
  EXPECT_EQ(data.M, data.M.transpose());
  EXPECT_EQ(Eigen::LLT<Matrix>(data.M).info(), Eigen::Success);
}

TEST_P(Laws, ForwardDynamicsOfTheTreeInvertsInverseDynamics) {
  const int n = robot.tree_nv();
  inverse_dynamics<double>(robot, data, q, v, vdot);
  const Vector tau = data.tau + robot.actuation().armature.cwiseProduct(vdot.head(n));
  Vector acceleration(n);
  tree_accelerations(robot, data, q, v, tau, acceleration);
  EXPECT_LT(relative_difference(acceleration, vdot.head(n)), solved);
}

// u -> vdot -> u, and what undriven joints and drive springs must balance is zero.
void expect_forward_inverts_inverse(const Robot& robot, const Vector& q, const Vector& v,
                                    const Vector& u) {
  MechanicsData data(robot);
  Vector vdot(robot.nv()), again(u.size());
  forward_dynamics(robot, data, q, v, u, vdot);
  inverse(robot, data, q, v, vdot, again);
  Vector missing = data.tau;
  int rotor = 0;
  for (const DriveLayout& drive : robot.actuation().drives)
    if (drive.rotor_v < 0)
      missing[drive.joint_v] = 0;  // that is its motor's torque, in `again`
    else
      missing[drive.joint_v] -= data.spring_torque[rotor++];
  const double size =
      data.tau.cwiseAbs().maxCoeff() + data.spring_torque.cwiseAbs().sum() + u.cwiseAbs().sum();
  EXPECT_LT(missing.cwiseAbs().maxCoeff(), solved * size);
  EXPECT_LT((again - u).norm(), solved * size);
}

TEST_P(Laws, ForwardDynamicsInvertsJointTorquesDriveSpringsAndMotors) {
  expect_forward_inverts_inverse(robot, q, v, u);
}

TEST_P(Laws, ForwardDynamicsOfALinearizedRobotInvertsItToo) {
  expect_forward_inverts_inverse(linearized_at(robot, -q), q, v, u);
}

// d(kinetic + potential)/dt = motor power - dissipated power, along the forward dynamics
void expect_energy_balance(const Robot& robot, const Vector& q, const Vector& v, const Vector& u) {
  MechanicsData data(robot);
  Vector vdot(robot.nv());
  forward_dynamics(robot, data, q, v, u, vdot);
  const double put_in = motor_power(robot, v, u), taken_out = dissipated_power(robot, data, v);
  double size = std::abs(put_in) + std::abs(taken_out);
  const double rate = slope([&](double s) {
    const Energy e = energy(robot, data, q + s * v, v + s * vdot);
    size = std::max(size, std::abs(e.kinetic) + std::abs(e.potential));
    return e.kinetic + e.potential;
  });
  EXPECT_NEAR(rate, put_in - taken_out, solved * size);
}

TEST_P(Laws, EnergyChangesByMotorPowerMinusDissipation) { expect_energy_balance(robot, q, v, u); }

TEST_P(Laws, EnergyOfALinearizedRobotChangesByMotorPowerMinusDissipation) {
  description.dynamics = DynamicsKind::linearized_at_start;
  expect_energy_balance(linearized_at(Robot(description), -q), q, v, u);
}

// Kinetic energy is v.M v/2 and the weight is the gradient of the potential energy.
TEST_P(Laws, WeightIsTheGradientOfPotentialEnergy) {
  RobotDescription bare = random_robot(
      GetParam(),
      {.links = 3 + static_cast<int>(GetParam() % 100), .drives = false, .springs = false});
  const Robot tree(bare);
  MechanicsData weight(tree), trial(tree);
  const int n = tree.nv();
  const Vector still = Vector::Zero(n), pose = Random(GetParam()).vector(n, 3);
  Vector gradient(n);
  for (int k = 0; k < n; ++k)
    gradient[k] = slope([&](double s) {
      return energy(tree, trial, pose + s * Vector::Unit(n, k), still).potential;
    });
  inverse_dynamics<double>(tree, weight, pose, still, still);
  EXPECT_LT(relative_difference(weight.tau, gradient), 1e-11);  // differences: rounding / 2e-3
}

TEST_P(Laws, JetsOfInverseDynamicsAreItsTimeDerivatives) {
  constexpr int order = 2;
  MotionData<Jet> jets(robot);
  const Vector snap = -2 * jerk, crackle = 3 * jerk;
  const std::vector<Vector> x = {q, v, vdot, jerk, snap, crackle};
  inverse_dynamics<Jet>(robot, jets, motion(x, order), motion({v, vdot, jerk, snap}, order),
                        motion({vdot, jerk, snap, crackle}, order));

  // first derivative: chain rule by Dual
  MotionData<Dual> dual(robot);
  inverse_dynamics<Dual>(robot, dual, along(q, v), along(v, vdot), along(vdot, jerk));
  EXPECT_LT(relative_difference(derivative(jets.tau, 1), slopes(dual.tau)), rounding);

  // and by the analytic Jacobians
  inverse_dynamics_derivatives(robot, data, q, v, vdot);
  data.M.diagonal() -= robot.actuation().armature;
  const int n = robot.tree_nv();
  const Vector chain =
      data.dtau_dq * v.head(n) + data.dtau_dv * vdot.head(n) + data.M * jerk.head(n);
  EXPECT_LT(relative_difference(chain, slopes(dual.tau)), rounding);

  // second derivative: the slope of a Jet of Dual whose direction is the motion itself
  const auto moving = [](const VectorOf<Jet>& value, const VectorOf<Jet>& rate) {
    VectorOf<JetOfDual> y(value.size());
    for (int i = 0; i < y.size(); ++i) {
      y[i] = JetOfDual::zero(1);
      for (int k = 0; k <= 1; ++k) y[i][k] = Dual(value[i][k], rate[i][k]);
    }
    return y;
  };
  MotionData<JetOfDual> both(robot);
  const VectorOf<Jet> q1 = motion({q, v}, 1), v1 = motion({v, vdot}, 1),
                      a1 = motion({vdot, jerk}, 1), j1 = motion({jerk, snap}, 1);
  inverse_dynamics<JetOfDual>(robot, both, moving(q1, v1), moving(v1, a1), moving(a1, j1));
  Vector second(n);
  for (int k = 0; k < n; ++k) second[k] = both.tau[k][1].slope;
  EXPECT_LT(relative_difference(derivative(jets.tau, 2), second), rounding);
}

TEST_P(Laws, FrameVelocityAndAccelerationAreTimeDerivativesOfItsPosition) {
  MotionData<Jet> jets(robot);
  kinematics<Jet>(robot, jets, motion({q, v, vdot}, 2));
  kinematics<double>(robot, data, q);
  const int n = robot.tree_nv();
  for (const Frame& frame : robot.frames()) {
    Matrix J(3, n), dJv_dq(3, n);
    frame_jacobian<double>(robot, data, frame, J);
    frame_jacobian_derivative(robot, data, frame, v, dJv_dq);
    const VectorOf<Jet> p = as_vector<Jet>(frame_position(jets, frame));
    const Vector velocity = J * v.head(n);
    const Vector acceleration = J * vdot.head(n) + dJv_dq * v.head(n);  // J vdot + Jdot v
    EXPECT_LT(relative_difference(velocity, derivative(p, 1)), rounding) << frame.name;
    EXPECT_LT(relative_difference(acceleration, derivative(p, 2)), rounding) << frame.name;
  }
}

// A geared motor is a direct one with n^2 times the inertia and friction, and u n instead of u.
TEST_P(Laws, GearRatioScalesRotorInertiaFrictionAndTorque) {
  RobotDescription direct = description;
  for (Link& link : direct.links) {
    if (!link.drive) continue;
    const double n = link.drive->gear_ratio;
    link.drive->rotor_inertia *= n * n;
    link.drive->friction *= n * n;
    link.drive->gear_ratio = 1;
  }
  const Robot direct_robot(direct);
  MechanicsData direct_data(direct_robot);
  Vector q1 = q, v1 = v, vdot1 = vdot, u1(u.size()), expected(u.size());
  for (const DriveLayout& drive : robot.actuation().drives) {
    if (drive.rotor_v < 0) continue;
    q1[drive.rotor_q] /= drive.gear_ratio;
    v1[drive.rotor_v] /= drive.gear_ratio;
    vdot1[drive.rotor_v] /= drive.gear_ratio;
  }
  inverse(robot, data, q, v, vdot, expected);
  inverse(direct_robot, direct_data, q1, v1, vdot1, u1);
  for (size_t d = 0; d < robot.actuation().drives.size(); ++d)
    u1[static_cast<Eigen::Index>(d)] /= robot.actuation().drives[d].gear_ratio;
  EXPECT_LT(relative_difference(u1, expected), rounding);
  EXPECT_LT(relative_difference(direct_data.tau, data.tau), rounding);
}

// zero is added to the coordinate; the spring's rest is of the coordinate itself.
TEST_P(Laws, JointZeroShiftsTheCoordinate) {
  RobotDescription shifted = description;
  Vector q1 = q;
  for (Link& link : shifted.links) {
    const int i = robot.coordinates().find(link.name);
    if (i < 0) continue;
    if (link.spring) link.spring->rest += 0.25;
    link.joint.zero -= 0.25;
    q1[i] += 0.25;
  }
  joint_torques<double>(robot, data, q, v, vdot);
  const Vector tau = data.tau;
  const Robot other(shifted);
  joint_torques<double>(other, data, q1, v, vdot);
  EXPECT_LT(relative_difference(data.tau, tau), rounding);
}

// A payload on a link is the same as a body fixed to it.
TEST_P(Laws, PayloadIsAFixedLink) {
  const LinkInertia payload = description.links.front().inertia;
  const std::string carrier = description.links.back().name;
  if (description.links.back().beam) return;  // is an error
  RobotDescription with_body = description;
  Link body;
  body.name = "payload";
  body.joint.parent = carrier;
  body.joint.type = JointType::fixed;
  body.inertia = payload;
  with_body.links.push_back(body);
  const Robot one(with_payload(description, carrier, payload)), other(with_body);
  MechanicsData a(one), b(other);
  inverse_dynamics<double>(one, a, q, v, vdot);
  inverse_dynamics<double>(other, b, q, v, vdot);
  EXPECT_LT(relative_difference(a.tau, b.tau), rounding);
}

INSTANTIATE_TEST_SUITE_P(RandomRobots, Laws, ::testing::Range(0u, 20u));
INSTANTIATE_TEST_SUITE_P(RobotsWithBeams, Laws, ::testing::Range(101u, 108u));

}  // namespace
}  // namespace tauflex
