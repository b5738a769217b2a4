// Oracle: Simbody, with its own tree, multipliers and integrator, on forward runs of closed loops.
// Points, their velocities and a reaction are compared. Both sides say the mechanism themselves;
// only the joint values of the start are handed over.
#include <gtest/gtest.h>

#include "plant/simbody.hpp"
#include "tauflex/mechanics/assembly.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"
#include "tauflex/mechanics/kinematics.hpp"
#include "tauflex/model/robot_file.hpp"
#include "tauflex/plant/simulate.hpp"

namespace tauflex {
namespace {

using SimTK::Transform;
using SimTK::Vec3;

constexpr double tolerance = 1e-6;  // measured 1e-9, what Simbody's integrator leaves

struct Start {
  Vector q, v;
};

Robot robot_from(const std::string& text) {
  return Robot(read_robot(Node::read_text(text, "test.yaml")));
}

// On the constraints, in position and velocity.
Start consistent(const Robot& robot, const Vector& q, const Vector& v) {
  Start start{assemble(robot, 0, q), v};
  ConstrainedDynamics(robot).project(0, start.q, start.v);
  return start;
}

Simulation let_go(const Robot& robot, const Start& start, const Vector& times) {
  ForwardProblem problem(robot, TorqueSignal(times.head(1), Matrix::Zero(0, 1), Hold::smooth));
  return simulate(problem, start.q, start.v, times,
                  {.relative_tolerance = 1e-12, .absolute_tolerance = 1e-12});
}

Vector3 to_eigen(const Vec3& x) { return {x[0], x[1], x[2]}; }

// Inertia about the centre of mass: xx, yy, zz, then xy, xz, yz.
SimTK::Body::Rigid rigid_body(double mass, const Vec3& com, const Vec3& moments,
                              const Vec3& products = Vec3(0)) {
  const SimTK::Inertia about_com(moments, products);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(mass, com, about_com.shiftFromMassCenter(com, mass)));
}

// A point by its name in tauflex and by its body in Simbody.
struct Point {
  std::string frame;
  SimTK::MobilizedBody body;
  Vec3 at;
};

class SimbodyOracle : public ::testing::Test {
 protected:
  SimbodyOracle() : matter(system), forces(system) {}

  // After the bodies: the state to fill with Q and U.
  SimTK::State new_state(const Vec3& gravity) {
    SimTK::Force::Gravity(forces, matter, gravity);
    SimTK::State state = system.realizeTopology();
    system.realizeModel(state);
    return state;
  }

  // Runs both from the same state. `reaction(run, i, data, state)` is a pair, tauflex's first.
  template <class Reaction>
  void compare(const Robot& robot, const Start& start, const SimTK::State& sim_start,
               const std::vector<Point>& points, const Reaction& reaction) {
    SimTK::State state = sim_start;
    system.realize(state, SimTK::Stage::Velocity);
    ASSERT_LT(state.getQErr().normInf(), 1e-9);  // both start on the constraints
    ASSERT_LT(state.getUErr().normInf(), 1e-9);

    const Vector times = Vector::LinSpaced(7, 0, 1.5);
    const Simulation run = let_go(robot, start, times);
    ASSERT_EQ(run.status, Status::solved) << run.message;

    SimTK::RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(1e-10);
    integrator.setConstraintTolerance(1e-10);
    SimTK::TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    MechanicsData data(robot);
    Matrix J(3, robot.tree_nv());
    double position = 0, velocity = 0, force = 0, largest_force = 0;
    for (Eigen::Index i = 0; i < times.size(); ++i) {
      stepper.stepTo(times[i]);
      const SimTK::State& now = integrator.getState();
      system.realize(now, SimTK::Stage::Acceleration);
      kinematics<double>(robot, data, run.q.col(i));
      for (const Point& point : points) {
        const Frame& frame = robot.frames()[static_cast<size_t>(robot.find_frame(point.frame))];
        frame_jacobian<double>(robot, data, frame, J);
        const Vector3 p = to_eigen(point.body.findStationLocationInGround(now, point.at));
        const Vector3 v = to_eigen(point.body.findStationVelocityInGround(now, point.at));
        position = std::max(position, (frame_position<double>(data, frame) - p).norm());
        velocity = std::max(velocity, (J * run.v.col(i) - v).norm());
      }
      const auto [ours, theirs] = reaction(run, i, data, now);
      force = std::max(force, (ours - theirs).norm());
      largest_force = std::max(largest_force, theirs.norm());
    }
    EXPECT_LT(position, tolerance);  // m
    EXPECT_LT(velocity, tolerance);  // m/s
    EXPECT_LT(force, tolerance * largest_force);
  }

  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
};

// A crank that can turn all the way round, a coupler and a rocker. tauflex opens the loop between
// coupler and rocker, Simbody at the rocker's foot: the pin is a constraint here and a joint there.
TEST_F(SimbodyOracle, AgreesOnAFourBarLinkage) {
  const Robot redundant = robot_from(R"(
gravity: [1, -9.81, 0]
links:
  - {name: crank, joint: {parent: world, type: revolute, axis: z}, mass: 2, com: [0.15, 0.03, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
  - {name: coupler, joint: {parent: crank, at: [0.4, 0, 0], type: revolute, axis: z}, mass: 1.5, com: [0.5, -0.1, 0], inertia: {xx: 0.02, yy: 0.1, zz: 0.11}}
  - {name: rocker, joint: {parent: world, at: [1, 0, 0], type: revolute, axis: z}, mass: 1, com: [0.3, 0.05, 0], inertia: {xx: 0.01, yy: 0.06, zz: 0.06}}
frames:
  coupler_end: {link: coupler, at: [0.9, 0, 0]}
  rocker_end: {link: rocker, at: [0.7, 0, 0]}
  coupler_point: {link: coupler, at: [0.4, 0.3, 0]}
  rocker_point: {link: rocker, at: [0.3, -0.2, 0]}
constraints: [{name: pin, closure: {frames: [coupler_end, rocker_end], locked: [x, y, z, rx, ry]}}]
)");
  const Vector guess = Vector3(1, -0.6, 1.5);
  const Vector closed = assemble(redundant, 0, guess);
  const Robot robot =
      redundant.with_constraint_rows(independent_constraint_rows(redundant, 0, closed));
  ASSERT_EQ(redundant.constraint_count(), 5);
  ASSERT_EQ(robot.constraint_count(), 2);
  ASSERT_EQ(robot.constraints()[0].name, "pin.x");
  ASSERT_EQ(robot.constraints()[1].name, "pin.y");
  const Start start = consistent(robot, closed, Vector3(6, 0, 0));

  SimTK::MobilizedBody& ground = matter.updGround();
  SimTK::MobilizedBody::Pin crank(
      ground, Transform(), rigid_body(2, Vec3(0.15, 0.03, 0), Vec3(0.01, 0.05, 0.05)), Transform());
  SimTK::MobilizedBody::Pin coupler(crank, Vec3(0.4, 0, 0),
                                    rigid_body(1.5, Vec3(0.5, -0.1, 0), Vec3(0.02, 0.1, 0.11)),
                                    Transform());
  SimTK::MobilizedBody::Pin rocker(coupler, Vec3(0.9, 0, 0),
                                   rigid_body(1, Vec3(0.3, 0.05, 0), Vec3(0.01, 0.06, 0.06)),
                                   Vec3(0.7, 0, 0));
  SimTK::Constraint::PointInPlane(ground, SimTK::UnitVec3(1, 0, 0), 1, rocker, Vec3(0));
  SimTK::Constraint::PointInPlane(ground, SimTK::UnitVec3(0, 1, 0), 0, rocker, Vec3(0));
  SimTK::State state = new_state(Vec3(1, -9.81, 0));
  const Vector &q = start.q, &v = start.v;
  crank.setAngle(state, q[0]);
  crank.setRate(state, v[0]);
  coupler.setAngle(state, q[1]);
  coupler.setRate(state, v[1]);
  rocker.setAngle(state, q[2] - q[0] - q[1]);
  rocker.setRate(state, v[2] - v[0] - v[1]);

  const Frame& a = robot.frames()[static_cast<size_t>(robot.find_frame("coupler_end"))];
  const auto pin_force = [&](const Simulation& run, Eigen::Index i, const MechanicsData& data,
                             const SimTK::State& now) {
    // on the rocker; lambda is in the axes of the coupler's frame
    const Vector3 lambda(run.lambda(0, i), run.lambda(1, i), 0);
    return std::pair<Vector3, Vector3>(
        data.R[static_cast<size_t>(a.body)] * a.X_BF.R * lambda,
        to_eigen(rocker.findMobilizerReactionOnBodyAtMInGround(now)[1]));
  };
  compare(robot, start, state,
          {{"rocker_end", coupler, Vec3(0.9, 0, 0)},
           {"coupler_point", coupler, Vec3(0.4, 0.3, 0)},
           {"rocker_point", rocker, Vec3(0.3, -0.2, 0)}},
          pin_force);
}

// A body on a ball joint, tied by a rod to a body that turns about a skew axis.
TEST_F(SimbodyOracle, AgreesOnASpatialLoopWithARod) {
  const Robot robot = robot_from(R"(
gravity: [0.5, -1, -9.81]
links:
  - {name: bob, joint: {parent: world, at: [0.1, -0.2, 0.3], rpy: [0.4, -0.3, 0.9], type: spherical}, mass: 2, com: [0.3, 0.05, -0.1], inertia: {xx: 0.05, yy: 0.12, zz: 0.14, xy: 0.01, xz: -0.02, yz: 0.015}}
  - {name: arm, joint: {parent: world, at: [1.2, 0.3, 0.1], rpy: [0.2, 0.5, -0.7], type: revolute, axis: [1, -2, 3]}, mass: 1.5, com: [0.1, 0.25, 0.05], inertia: {xx: 0.08, yy: 0.03, zz: 0.09, xy: -0.01, xz: 0.005, yz: 0.01}}
frames:
  bob_end: {link: bob, at: [0.6, 0.1, -0.1]}
  arm_end: {link: arm, at: [0.1, 0.5, 0.2]}
  bob_point: {link: bob, at: [-0.1, 0.3, 0.2]}
  arm_point: {link: arm, at: [0.3, -0.1, 0.2]}
constraints: [{name: rod, distance: {frames: [bob_end, arm_end], length: 0.8}}]
)");
  Vector guess = robot.coordinates().neutral;
  guess[robot.coordinates().find("arm")] = 0.4;
  Vector rates(4);
  rates << 1, 2, -1.5, 2;
  const Start start = consistent(robot, guess, rates);

  SimTK::MobilizedBody& ground = matter.updGround();
  const auto rpy = [](double r, double p, double y) {  // about the fixed axes x, then y, then z
    return SimTK::Rotation(SimTK::SpaceRotationSequence, r, SimTK::XAxis, p, SimTK::YAxis, y,
                           SimTK::ZAxis);
  };
  SimTK::MobilizedBody::Ball bob(
      ground, Transform(rpy(0.4, -0.3, 0.9), Vec3(0.1, -0.2, 0.3)),
      rigid_body(2, Vec3(0.3, 0.05, -0.1), Vec3(0.05, 0.12, 0.14), Vec3(0.01, -0.02, 0.015)),
      Transform());
  // a pin turns about z
  const SimTK::Rotation z_to_axis(SimTK::UnitVec3(1, -2, 3), SimTK::ZAxis);
  SimTK::MobilizedBody::Pin arm(
      ground, Transform(rpy(0.2, 0.5, -0.7) * z_to_axis, Vec3(1.2, 0.3, 0.1)),
      rigid_body(1.5, Vec3(0.1, 0.25, 0.05), Vec3(0.08, 0.03, 0.09), Vec3(-0.01, 0.005, 0.01)),
      Transform(z_to_axis));
  SimTK::Constraint::Rod rod(bob, Vec3(0.6, 0.1, -0.1), arm, Vec3(0.1, 0.5, 0.2), 0.8);
  SimTK::State state = new_state(Vec3(0.5, -1, -9.81));
  const Vector &q = start.q, &v = start.v;
  bob.setQ(state, SimTK::Vec4(q[0], q[1], q[2], q[3]));
  bob.setU(state, Vec3(v[0], v[1], v[2]));
  arm.setAngle(state, q[4]);
  arm.setRate(state, v[3]);

  const auto rod_force = [&](const Simulation& run, Eigen::Index i, const MechanicsData&,
                             const SimTK::State& now) {
    const double pushes = -rod.getRodTension(now);
    return std::pair<Vector, Vector>(run.lambda.col(i), Vector::Constant(1, pushes));
  };
  compare(robot, start, state,
          {{"bob_end", bob, Vec3(0.6, 0.1, -0.1)},
           {"arm_end", arm, Vec3(0.1, 0.5, 0.2)},
           {"bob_point", bob, Vec3(-0.1, 0.3, 0.2)},
           {"arm_point", arm, Vec3(0.3, -0.1, 0.2)}},
          rod_force);
}

}  // namespace
}  // namespace tauflex
