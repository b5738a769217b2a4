// Published values of constrained forward dynamics: mechanisms of the IFToMM benchmark library, the
// car axis of the Test Set for IVP Solvers, the heavy top; and runs that must not drift.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/energy.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/plant/simulate.hpp"

namespace tauflex {
namespace {

Robot robot_from(const std::string& text) {
  return Robot(read_robot(Node::read_text(text, "test.yaml")));
}

// No motors: what moves is moved by gravity, springs and drivers.
Simulation let_go(const Robot& robot, const Vector& q, const Vector& v, const Vector& times,
                  double tolerance = 1e-12) {
  ForwardProblem problem(robot, TorqueSignal(times.head(1), Matrix::Zero(0, 1), Hold::smooth));
  return simulate(problem, q, v, times,
                  {.relative_tolerance = tolerance, .absolute_tolerance = tolerance});
}

Vector named(const Robot& robot, const std::map<std::string, double>& values) {
  Vector q = robot.coordinates().neutral;
  for (const auto& [name, value] : values) q[robot.coordinates().find(name)] = value;
  return q;
}

// m = l = 1, from (-1, 0) at rest.
TEST(PublishedMotion, PendulumA01) {
  const Robot robot = robot_from(R"(
gravity: [0, -9.81, 0]
links: [{name: mass, joint: {parent: world, type: [x, y]}, mass: 1}]
constraints: [{name: rod, distance: {frames: [world, mass], length: 1}}]
)");
  const Simulation run =
      let_go(robot, Vector(Eigen::Vector2d(-1, 0)), Vector::Zero(2), Vector::LinSpaced(11, 0, 10));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  EXPECT_NEAR(run.q(0, 10), -0.275087462576118, 1e-8);
  EXPECT_NEAR(run.q(1, 10), -0.961419205099125, 1e-8);
  EXPECT_NEAR(run.v(0, 10), 4.175598100951727, 1e-8);
  EXPECT_NEAR(run.v(1, 10), -1.194749054560479, 1e-8);
  // the rod holds the weight and turns the velocity: N = -(m v^2 + m g cos)
  const double speed2 = run.v.col(10).squaredNorm();
  EXPECT_NEAR(run.lambda(0, 10), -(speed2 - 9.81 * run.q(1, 10)), 1e-7);
}

// N four-bars, 2 N + 1 rods of 1 m and 1 kg; B0 starts at (0, 1) with vx = 1. It passes positions
// where all rods lie on one line and the mechanism could fold another way.
TEST(PublishedMotion, FourBarsA02ThroughSingularPositions) {
  const Robot robot = robot_from(R"(
gravity: [0, -9.81, 0]
links:
  - {name: crank0, joint: {parent: world, type: revolute, axis: z}, mass: 1, com: [0, 0.5, 0], inertia: {zz: 0.08333333333333333}}
  - {name: crank1, joint: {parent: world, at: [1, 0, 0], type: revolute, axis: z}, mass: 1, com: [0, 0.5, 0], inertia: {zz: 0.08333333333333333}}
  - {name: crank2, joint: {parent: world, at: [2, 0, 0], type: revolute, axis: z}, mass: 1, com: [0, 0.5, 0], inertia: {zz: 0.08333333333333333}}
  - {name: coupler1, joint: {parent: crank0, at: [0, 1, 0], type: revolute, axis: z}, mass: 1, com: [0.5, 0, 0], inertia: {zz: 0.08333333333333333}}
  - {name: coupler2, joint: {parent: crank1, at: [0, 1, 0], type: revolute, axis: z}, mass: 1, com: [0.5, 0, 0], inertia: {zz: 0.08333333333333333}}
frames:
  b0: {link: crank0, at: [0, 1, 0]}
  end1: {link: coupler1, at: [1, 0, 0]}
  end2: {link: coupler2, at: [1, 0, 0]}
  b1: {link: crank1, at: [0, 1, 0]}
  b2: {link: crank2, at: [0, 1, 0]}
constraints:
  - {name: loop1, closure: {frames: [b1, end1], locked: [x, y]}}
  - {name: loop2, closure: {frames: [b2, end2], locked: [x, y]}}
)");
  // B0 moves with vx = 1: cranks turn with -1 rad/s, couplers stay parallel.
  Vector v(5);
  v << -1, -1, -1, 1, 1;
  for (const double tolerance : {1e-8, 1e-10}) {
    const Simulation run =
        let_go(robot, Vector::Zero(5), v, Vector::LinSpaced(101, 0, 10), tolerance);
    ASSERT_EQ(run.status, Status::solved) << run.message;
    const double angle = run.q(0, 100), rate = run.v(0, 100);
    EXPECT_NEAR(-std::sin(angle), 0.328458111540816, 1e-5);
    EXPECT_NEAR(std::cos(angle), 0.944518538178601, 1e-5);
    EXPECT_NEAR(-rate * std::cos(angle), 1.423051470206945, 1e-5);
    EXPECT_NEAR(-rate * std::sin(angle), -0.494868845487044, 1e-5);
    // it turns all the way round, so the rods do lie on one line now and then
    EXPECT_GT((run.q.row(0).array().maxCoeff() - run.q.row(0).array().minCoeff()), 2 * M_PI);
    for (Eigen::Index i = 0; i < run.t.size(); ++i)  // couplers stay horizontal: no other branch
      EXPECT_NEAR(std::sin(run.q(0, i) + run.q(3, i)), 0, 1e-6) << run.t[i];
  }
}

// A beam of length L whose right end is lifted by r sin(omega t) carries two masses on springs; the
// masses are L apart and the left one stays on a line across the beam. M = 10, eps = 0.01, L = 1,
// L0 = 0.5, r = 0.1, omega = 10, g = 1: masses of eps^2 M / 2, springs of 1 N/m.
TEST(PublishedMotion, CarAxis) {
  const Robot robot = robot_from(R"(
gravity: [0, -1, 0]
links:
  - {name: beam, joint: {parent: world, type: revolute, axis: z}, mass: 1, com: [0.5, 0, 0], inertia: {zz: 0.1}}
  - {name: left, joint: {parent: world, type: [x, y]}, mass: 0.0005}
  - {name: right, joint: {parent: world, type: [x, y]}, mass: 0.0005}
frames:
  end: {link: beam, at: [1, 0, 0]}
springs:
  - {name: left_spring, frames: [world, left], stiffness: 1, length: 0.5}
  - {name: right_spring, frames: [end, right], stiffness: 1, length: 0.5}
constraints:
  - {name: lift, plane: {frame: end, normal: y}, path: {sine: {center: 0, amplitude: 0.1, frequency: 1.5915494309189535}}}
  - {name: across, plane: {frame: left, on: beam, normal: x}}
  - {name: axle, distance: {frames: [right, left], length: 1}}
)");
  Vector v(5);
  v << 1, -0.5, 0, -0.5, 0;  // the beam turns with r omega / L at the start
  const Simulation run =
      let_go(robot, named(robot, {{"left.y", 0.5}, {"right.x", 1}, {"right.y", 0.5}}), v,
             Vector::LinSpaced(4, 0, 3));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  EXPECT_NEAR(run.q(1, 3), 0.049345578427524, 1e-8);
  EXPECT_NEAR(run.q(2, 3), 0.496989460230008, 1e-8);
  EXPECT_NEAR(run.q(3, 3), 1.041742524885426, 1e-8);
  EXPECT_NEAR(run.q(4, 3), 0.373911027265366, 1e-8);
  // The test set's lambda1 multiplies (xb, yb), of length L = 1, as ours does; its lambda2 twice
  // the vector between the masses, of length L.
  EXPECT_NEAR(run.lambda(1, 3), -0.004736886590853, 1e-8);
  EXPECT_NEAR(run.lambda(2, 3), -2 * 0.001104680331260, 1e-8);
}

const char* top_tree = R"(
gravity: [0, 0, -9.81]
links:
  - {name: top, joint: {parent: world, type: spherical}, mass: 15, com: [0, 1, 0], inertia: {xx: 0.234375, yy: 0.46875, zz: 0.234375}}
)";
const char* top_absolute = R"(
gravity: [0, 0, -9.81]
links:
  - {name: top, joint: {parent: world, type: floating}, mass: 15, com: [0, 1, 0], inertia: {xx: 0.234375, yy: 0.46875, zz: 0.234375}}
constraints: [{name: tip, closure: {frames: [world, top], locked: [x, y, z]}}]
)";

TEST(PublishedMotion, HeavyTop) {
  for (const char* text : {top_tree, top_absolute}) {
    const Robot robot = robot_from(text);
    Vector v = Vector::Zero(robot.nv());
    v.tail(3) << 0, 150, -4.61538;
    const Simulation run =
        let_go(robot, robot.coordinates().neutral, v, Vector::LinSpaced(11, 0, 1), 1e-13);
    ASSERT_EQ(run.status, Status::solved) << run.message;
    MechanicsData data(robot);
    kinematics<double>(robot, data, run.q.col(10));
    const Vector3 x = data.p.back() + data.R.back() * Vector3(0, 1, 0);
    EXPECT_NEAR(x[0], 0.173343964098386, 1e-8);
    EXPECT_NEAR(x[1], 0.640088592070569, 1e-8);
    EXPECT_NEAR(x[2], -0.748490791133581, 1e-8);
    for (const Eigen::Index i : {0, 10}) {
      const auto e = energy(robot, data, run.q.col(i), run.v.col(i));
      EXPECT_NEAR(e.kinetic + e.potential, 5435.696790865547, 1e-6);  // 1e-10 of it
    }
  }
}

// Two bars in absolute coordinates, hanging on each other; chaotic, so only what is conserved is
// asked for.
TEST(LongRuns, DoublePendulumDoesNotDrift) {
  const Robot robot = robot_from(R"(
gravity: [0, -9.81, 0]
links:
  - {name: bar2, joint: {parent: world, type: [x, y, rz]}, mass: 2, inertia: {zz: 0.2}}
  - {name: bar3, joint: {parent: world, type: [x, y, rz]}, mass: 1, inertia: {zz: 0.1}}
frames:
  a2: {link: bar2, at: [-0.5, 0, 0]}
  b2: {link: bar2, at: [0.5, 0, 0]}
  b3: {link: bar3, at: [-0.4, 0, 0]}
constraints:
  - {name: A, closure: {frames: [world, a2], locked: [x, y]}}
  - {name: B, closure: {frames: [b2, b3], locked: [x, y]}}
)");
  const Vector q = assemble(robot, 0, named(robot, {{"bar2.x", 0.5}, {"bar3.x", 1.4}}));
  const Simulation run = let_go(robot, q, Vector::Zero(6), Vector::LinSpaced(1001, 0, 100), 1e-11);
  ASSERT_EQ(run.status, Status::solved) << run.message;
  ConstrainedDynamics dynamics(robot);
  MechanicsData data(robot);
  double position = 0, velocity = 0, drift = 0, largest = 0, first = 0;
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    const auto violation = dynamics.violation(run.q.col(i), run.v.col(i), run.t[i]);
    position = std::max(position, violation.position);
    velocity = std::max(velocity, violation.velocity);
    const auto e = energy(robot, data, run.q.col(i), run.v.col(i));
    if (i == 0) first = e.kinetic + e.potential;
    drift = std::max(drift, std::abs(e.kinetic + e.potential - first));
    largest = std::max(largest, e.kinetic);
  }
  EXPECT_LT(position, 1e-10);
  EXPECT_LT(velocity, 1e-10);
  EXPECT_LT(drift, 1e-6 * largest);
  RecordProperty("violation", std::to_string(position));
  RecordProperty("drift", std::to_string(drift / largest));
}

}  // namespace
}  // namespace tauflex
