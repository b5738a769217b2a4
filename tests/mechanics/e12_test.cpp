// Closed form: mass matrix and forces of E12 as printed in [Moberg2009, section 5.2], whose second
// "gamma_31" is gamma_32. M vdot + gamma = 0 for the arm, M_m vdot_m + gamma_3 = u for the motors.
#include <gtest/gtest.h>

#include "mechanics/comparison.hpp"
#include "mechanics/random_robots.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/joint_torques.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/mechanics/mass_matrix.hpp"

namespace tauflex {
namespace {

constexpr double tolerance = 1e-12;  // relative to the largest entry; both are exact but rounding
constexpr double g = 9.81;

// [Moberg2009, Table 1]
constexpr double m1 = 100, m2 = 100, m3 = 200, xi1 = 0.5, xi2 = 0.5, xi3 = 0.1;
constexpr double l1 = 1, l2 = 1, l3 = 0.2, j1 = 5, j2 = 5, j3 = 50;
constexpr double k1 = 1e5, k2 = 1e5, k3 = 1e5, d1 = 50, d2 = 50, d3 = 50, J_m = 100;

struct Printed {
  Matrix3 M;
  Eigen::Matrix<double, 5, 1> gamma;  // arm 1, 2, 3; motor 1, 2
  Vector3 tool;
};

double squared(double x) { return x * x; }

Printed printed(const Vector& q, const Vector& v) {
  const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s2 = std::sin(q[1]), c2 = std::cos(q[1]);
  const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
  const double v1 = v[0], v2 = v[1], v3 = v[2];
  Printed p;
  p.M(0, 0) =
      squared(xi1) * m1 + squared(s2) * squared(l1) * m2 - (-c2 * l1 - xi2) * m2 * (c2 * l1 + xi2) +
      j1 - (s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1) * m3 * (-s3 * c2 * l1 - c3 * s2 * l1 - s3 * l2) +
      j2 -
      (-xi3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2) * m3 *
          (c3 * c2 * l1 + c3 * l2 - s3 * s2 * l1 + xi3) +
      j3;
  p.M(0, 1) = j3 + j2 - (-c2 * l1 - xi2) * m2 * xi2 +
              (s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1) * m3 * s3 * l2 -
              (-xi3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2) * m3 * (c3 * l2 + xi3);
  p.M(0, 2) = j3 - (-xi3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2) * m3 * xi3;
  p.M(1, 0) = xi2 * m2 * (c2 * l1 + xi2) - s3 * l2 * m3 * (-s3 * c2 * l1 - c3 * s2 * l1 - s3 * l2) -
              (-xi3 - c3 * l2) * m3 * (c3 * c2 * l1 + c3 * l2 - s3 * s2 * l1 + xi3) + j2 + j3;
  p.M(1, 1) = squared(xi2) * m2 - (-xi3 - c3 * l2) * m3 * (c3 * l2 + xi3) + j2 +
              squared(s3) * squared(l2) * m3 + j3;
  p.M(1, 2) = j3 - (-xi3 - c3 * l2) * m3 * xi3;
  p.M(2, 0) = xi3 * m3 * (c3 * c2 * l1 + c3 * l2 - s3 * s2 * l1 + xi3) + j3;
  p.M(2, 1) = xi3 * m3 * (c3 * l2 + xi3) + j3;
  p.M(2, 2) = squared(xi3) * m3 + j3;

  // accelerations of the hand that the printed terms repeat
  const double along = 2 * v1 * v2 * xi3 + 2 * v3 * v1 * xi3 + squared(v1) * xi3 +
                       squared(v3) * xi3 + 2 * v3 * v2 * xi3 - s3 * s2 * squared(v1) * l1 +
                       2 * c3 * v1 * v2 * l2 + c3 * squared(v2) * l2 + squared(v2) * xi3 +
                       c3 * squared(v1) * l2 + c3 * c2 * squared(v1) * l1;
  const double across = c3 * s2 * squared(v1) * l1 + s3 * c2 * squared(v1) * l1 +
                        2 * s3 * v1 * v2 * l2 + s3 * squared(v2) * l2 + s3 * squared(v1) * l2;
  const double S12 = -s1 * c2 - c1 * s2, C12 = c1 * c2 - s1 * s2;
  const double spring1 = k1 * (q[0] - q[3]) + d1 * (v1 - v[3]);
  const double spring2 = k2 * (q[1] - q[4]) + d2 * (v2 - v[4]);
  p.gamma[0] =
      -(s2 * l1 * m2 *
            (squared(v2) * xi2 + c2 * squared(v1) * l1 + 2 * v1 * v2 * xi2 + squared(v1) * xi2) +
        (-c2 * l1 - xi2) * m2 * s2 * squared(v1) * l1 +
        (s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1) * m3 * along +
        (-xi3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2) * m3 * across + xi1 * c1 * m1 * g -
        s2 * l1 * S12 * m2 * g - (-c2 * l1 - xi2) * C12 * m2 * g -
        (s3 * c2 * l1 + s3 * l2 + c3 * s2 * l1) * (S12 * c3 - C12 * s3) * m3 * g -
        (-xi3 + s3 * s2 * l1 - c3 * c2 * l1 - c3 * l2) * (S12 * s3 + C12 * c3) * m3 * g - spring1);
  p.gamma[1] =
      -(-xi2 * m2 * s2 * squared(v1) * l1 + s3 * l2 * m3 * along + (-xi3 - c3 * l2) * m3 * across +
        xi2 * C12 * m2 * g - s3 * l2 * (S12 * c3 - C12 * s3) * m3 * g -
        (-xi3 - c3 * l2) * (S12 * s3 + C12 * c3) * m3 * g - spring2);
  p.gamma[2] = -(-xi3 * m3 * across + xi3 * (S12 * s3 + C12 * c3) * m3 * g - k3 * q[2] - d3 * v3);
  p.gamma[3] = -spring1;
  p.gamma[4] = -spring2;
  const double q12 = q[0] + q[1], q123 = q12 + q[2];
  p.tool = {l1 * c1 + l2 * std::cos(q12) + l3 * std::cos(q123), 0,
            -l1 * s1 - l2 * std::sin(q12) - l3 * std::sin(q123)};
  return p;
}

Link planar_link(const std::string& name, const std::string& parent, double at, double mass,
                 double com, double inertia) {
  Link link;
  link.name = name;
  link.joint.parent = parent;
  link.joint.axis = Vector3::UnitY();
  link.joint.X_PJ.p = {at, 0, 0};
  link.inertia.mass = mass;
  link.inertia.com = {com, 0, 0};
  link.inertia.about_com(1, 1) = inertia;
  link.inertia.given[1] = true;
  return link;
}

Robot e12() {
  RobotDescription description;
  description.gravity = {0, 0, -g};
  description.links = {planar_link("upper", "world", 0, m1, xi1, j1),
                       planar_link("fore", "upper", l1, m2, xi2, j2),
                       planar_link("hand", "fore", l2, m3, xi3, j3)};
  description.links[0].drive =
      Drive{.rotor_inertia = J_m, .elastic = Drive::Elasticity{.stiffness = k1, .damping = d1}};
  description.links[1].drive =
      Drive{.rotor_inertia = J_m, .elastic = Drive::Elasticity{.stiffness = k2, .damping = d2}};
  description.links[2].spring = Spring{.stiffness = k3, .damping = d3};
  description.frames = {{"tool", "hand", {Matrix3::Identity(), {l3, 0, 0}}, ""}};
  return Robot(description);
}

TEST(E12, HasTheCoordinatesOfThePaper) {
  const std::vector<std::string> names = {"upper", "fore", "hand", "upper.rotor", "fore.rotor"};
  EXPECT_EQ(e12().coordinates().names, names);
}

TEST(E12, HasThePrintedMassMatrixForcesAndKinematics) {
  const Robot robot = e12();
  MechanicsData data(robot);
  Random random(12);
  for (int trial = 0; trial < 100; ++trial) {
    Vector q = random.vector(5, 3);
    const Vector v = random.vector(5, 10), vdot = random.vector(5, 100);
    q.tail(2) = q.head(2) + random.vector(2, 0.1);  // springs of a tenth of a radian
    const Printed paper = printed(q, v);

    mass_matrix(robot, data, q);
    EXPECT_LT(relative_difference(data.M, paper.M), tolerance);

    const Vector expected = paper.M * vdot.head(3) + paper.gamma.head(3);
    drive_spring_torques<double>(robot, data, q, v);
    joint_torques<double>(robot, data, q, v, vdot);
    Vector balance = data.tau;
    balance.head(2) -= data.spring_torque;
    EXPECT_LT(relative_difference(balance, expected), tolerance);

    const Vector still = Vector::Zero(5);
    joint_torques<double>(robot, data, q, v, still);
    balance = data.tau;
    balance.head(2) -= data.spring_torque;
    EXPECT_LT(relative_difference(balance, paper.gamma.head(3)), tolerance);

    Vector u(2);
    motor_torques<double>(robot, data, v, vdot, u);
    const Vector u_paper = J_m * vdot.tail(2) + paper.gamma.tail(2);
    EXPECT_LT(relative_difference(u, u_paper), tolerance);

    kinematics<double>(robot, data, q);
    const Vector tool = frame_position(data, robot.frames()[0]);
    EXPECT_LT(relative_difference(tool, paper.tool), tolerance);
  }
}

}  // namespace
}  // namespace tauflex
