// A 2R arm whose second link keeps its orientation, in closed form [DeLuca2016], and laws of
// reduced dynamics on a spatial loop.
#include "tauflex/mechanics/reduced_dynamics.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/model/robot_file.hpp"

namespace tauflex {
namespace {

constexpr double tolerance = 1e-12;  // asked for; the numbers are of size 1 to 50

// Angles from the vertical, x down: gravity along x.
constexpr double m1 = 5, l1 = 0.5, d1 = 0.25, I1 = 0.15, m2 = 3, d2 = 0.2, I2 = 0.06, g0 = 9.81;
constexpr double a2 = m2 * l1 * d2, a3 = I2 + m2 * d2 * d2;
constexpr double a1 = I1 + m1 * d1 * d1 + m2 * l1 * l1 + a3;
constexpr double a4 = (m1 * d1 + m2 * l1) * g0, a5 = m2 * d2 * g0;
constexpr double beta = 0.6;

Robot arm() {
  return Robot(read_robot(Node::read_text(R"(
gravity: [9.81, 0, 0]
links:
  - {name: q1, joint: {parent: world, type: revolute, axis: z}, drive: {}, mass: 5, com: [0.25, 0, 0], inertia: {zz: 0.15}}
  - {name: q2, joint: {parent: q1, at: [0.5, 0, 0], type: revolute, axis: z}, drive: {}, mass: 3, com: [0.2, 0, 0], inertia: {zz: 0.06}}
constraints: [{name: level, relation: {joints: {q1: 1, q2: 1}, value: 0.6}}]
)",
                                          "arm.yaml")));
}

struct State {
  Vector q, v;
};
State random_state(Random& random) {
  const double q2 = random.uniform(-2, 2), w = random.uniform(-3, 3);
  return {Eigen::Vector2d(beta - q2, q2), Eigen::Vector2d(-w, w)};
}
const Matrix D = (Matrix(1, 2) << 0, 1).finished();

TEST(ConstantOrientation, ReducedModelAndMultiplier) {
  const Robot robot = arm();
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const State s = random_state(random);
    const Vector u = random.vector(2, 20);
    const ReducedDynamics reduced(robot, s.q, s.v, 0, D);
    EXPECT_NEAR(reduced.inertia()(0, 0), a1 - a3, tolerance);
    EXPECT_NEAR(reduced.pseudo_velocity()[0], s.v[1], tolerance);
    const double vdot = (u[1] - u[0] + a4 * std::sin(s.q[0])) / (a1 - a3);  // (7)
    EXPECT_NEAR(reduced.pseudo_acceleration(u)[0], vdot, tolerance * 50);   // of numbers up to 50
    const double lambda = (a3 - a1 - a2 * std::cos(s.q[1])) * vdot -
                          a2 * std::sin(s.q[1]) * s.v[0] * s.v[1] + a4 * std::sin(s.q[0]) +
                          a5 * std::sin(beta) - u[0];  // (8)
    EXPECT_NEAR(reduced.multipliers(u)[0], lambda, tolerance * 50);
  }
}

TEST(ConstantOrientation, TorquesForAWantedMotionAndForce) {
  const Robot robot = arm();
  Random random(2);
  for (int i = 0; i < 20; ++i) {
    const State s = random_state(random);
    const double wanted = random.uniform(-5, 5);
    const ReducedDynamics reduced(robot, s.q, s.v, 0, D);
    const Vector u = reduced.torques(Vector::Constant(1, wanted), Vector::Zero(1));
    const double u1 = (a3 - a1 - a2 * std::cos(s.q[1])) * wanted -
                      a2 * std::sin(s.q[1]) * s.v[0] * s.v[1] + a4 * std::sin(s.q[0]) +
                      a5 * std::sin(beta);
    EXPECT_NEAR(u[0], u1, tolerance * 50);  // (9)
    EXPECT_NEAR(u[1], u1 + (a1 - a3) * wanted - a4 * std::sin(s.q[0]), tolerance * 50);
    // any other multiplier, there and back
    const Vector lambda = random.vector(1, 10);
    const Vector pressing = reduced.torques(Vector::Constant(1, wanted), lambda);
    EXPECT_NEAR(reduced.pseudo_acceleration(pressing)[0], wanted, tolerance * 50);
    EXPECT_NEAR(reduced.multipliers(pressing)[0], lambda[0], tolerance * 50);
  }
}

TEST(ConstantOrientation, StaticTorques) {
  const Robot robot = arm();
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    const Vector q = random_state(random).q;
    const StaticTorques s = static_torques(robot, q);
    ASSERT_EQ(s.null_space.cols(), 1);
    for (const double x : {0.0, -3.0, 7.0}) {
      const Vector u = s.particular + s.null_space * Vector::Constant(1, x);
      const double lambda = s.lambda[0] + s.lambda_null(0, 0) * x;
      EXPECT_NEAR(u[0] - u[1], a4 * std::sin(q[0]), tolerance * 50);
      EXPECT_NEAR(lambda, a5 * std::sin(beta) - u[1], tolerance * 50);
    }
    // the virtual constraint carries nothing: u = g(q)
    const double x = -s.lambda[0] / s.lambda_null(0, 0);
    const Vector u = s.particular + s.null_space * Vector::Constant(1, x);
    EXPECT_NEAR(u[0], a4 * std::sin(q[0]) + a5 * std::sin(beta), tolerance * 50);
    EXPECT_NEAR(u[1], a5 * std::sin(beta), tolerance * 50);
  }
}

TEST(ConstantOrientation, AnyBasisGivesTheSameMotion) {
  const Robot robot = arm();
  Random random(4);
  const State s = random_state(random);
  const Vector u = random.vector(2, 20);
  const ReducedDynamics given(robot, s.q, s.v, 0, D), orthonormal(robot, s.q, s.v);
  const Vector one = given.F() * given.pseudo_acceleration(u),
               other = orthonormal.F() * orthonormal.pseudo_acceleration(u);
  EXPECT_LT((one - other).norm(), tolerance * 50);
  EXPECT_NEAR(given.multipliers(u)[0], orthonormal.multipliers(u)[0], tolerance * 50);
  EXPECT_THROW(ReducedDynamics(robot, s.q, s.v, 0, Matrix(Matrix::Ones(1, 2))), InputError);
  EXPECT_THROW(ReducedDynamics(robot, s.q, s.v, 0, Matrix(Matrix::Ones(2, 2))), InputError);
}

// Where A(q) turns with the motion and a driver moves: against the constrained forward dynamics.
TEST(ReducedDynamics, AgreesWithTheMultiplierForm) {
  const Robot robot(read_robot(Node::read_text(R"(
gravity: [1, 2, -9]
links:
  - {name: a, joint: {parent: world, type: revolute, axis: [1, 2, 3]}, drive: {}, mass: 2, com: [0.1, 0.2, 0.3], inertia: {xx: 0.1, yy: 0.2, zz: 0.15}}
  - {name: b, joint: {parent: a, at: [0.4, 0, 0.1], type: [y, rx]}, mass: 1, com: [0, 0.2, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
  - {name: c, joint: {parent: b, at: [0.4, 0, 0], type: revolute, axis: z}, drive: {gear_ratio: 3}, mass: 1, com: [0, 0.2, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
constraints:
  - {name: rod, distance: {frames: [world, c], length: 1.0}}
  - {name: driver, relation: {joints: {a: 1}}, path: {sine: {center: 0, amplitude: 0.4, frequency: 0.5}}}
)",
                                               "loop.yaml")));
  Random random(5);
  Vector q = random.vector(4, 1), v = random.vector(4, 2);
  const double t = 0.3;
  ConstrainedDynamics dynamics(robot);
  q = assemble(robot, t, q);
  ASSERT_LT(dynamics.project(t, q, v).violation, 1e-12);
  const Vector u = random.vector(2, 5);
  Vector vdot(4), lambda(2);
  dynamics.accelerations(q, v, u, t, vdot, lambda);
  const ReducedDynamics reduced(robot, q, v, t);
  ASSERT_EQ(reduced.freedom(), 2);
  const Vector multipliers = reduced.multipliers(u);
  EXPECT_LT((multipliers - lambda).norm(), 1e-11 * (1 + lambda.norm()));  // condition of M
}

}  // namespace
}  // namespace tauflex
