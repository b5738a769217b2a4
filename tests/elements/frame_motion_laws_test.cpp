// Frames of elements that move: frequencies in closed form, energies, and the same motion as the
// tree of links.
#include "mechanics/random_robots.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/elements/frame_forces.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/mechanics/constrained_dynamics.hpp"

namespace tauflex {
namespace {

// A beam on a driven hinge about z, 1 m, 1 kg/m, EI = 1 N m^2.
RobotDescription one_beam() {
  RobotDescription robot;
  robot.gravity.setZero();
  robot.links.emplace_back();
  Link& link = robot.links.back();
  link.name = "arm";
  link.drive.emplace();
  link.beam.emplace();
  link.beam->to = Vector3::UnitX();
  link.beam->mass_per_length = 1;
  link.beam->EI_y = 1;
  return robot;
}

// Lowest frequency of the clamped frame, rad/s: by counting periods of a small free vibration, with
// a step that is short beside them.
double clamped_frequency(ElementKind kind, int elements) {
  const Robot robot(one_beam());
  ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()), {kind, elements});
  frame.drive_joint(0);
  FrameSystem system(frame, {}, {});
  Newmark newmark(system, {});
  // the first mode is close to the shape of a force at the end
  Vector v = Vector::Zero(frame.size);
  for (int node = 0; node < frame.nodes(); ++node) {
    const double x = frame.start[node][0];
    v[frame.dof[node][1]] = 1e-3 * x * x * (3 - x) / 2;
    v[frame.dof[node][5]] = 1e-3 * (3 * x - 1.5 * x * x);
  }
  newmark.start(0, v);
  const int end = frame.dof[frame.nodes() - 1][1];
  const double h = 2e-3;
  double first = 0, last = 0, before = 0;
  int crossings = 0;
  for (int i = 1; i <= 4000; ++i) {
    before = newmark.v()[end];
    if (!newmark.step(i * h)) return 0;
    const double now = newmark.v()[end];
    if (before < 0 && now >= 0) {
      last = (i - 1) * h + h * before / (before - now);
      if (crossings++ == 0) first = last;
    }
  }
  return 2 * M_PI * (crossings - 1) / (last - first);
}

// Closed form: 3.516015 sqrt(EI / (rho A L^4)), both kinds of elements, converging.
TEST(ElementFrame, clamped_frequencies_converge) {
  const double exact = 3.516015268500151;
  // one cubic element is within 0.5 %, two within 0.1 %; higher modes disturb the crossings by less
  EXPECT_NEAR(clamped_frequency(ElementKind::bernoulli, 1), exact, 0.006 * exact);
  EXPECT_NEAR(clamped_frequency(ElementKind::bernoulli, 2), exact, 0.0015 * exact);
  std::vector<double> errors;
  for (const int elements : {2, 4, 8})
    errors.push_back(std::abs(clamped_frequency(ElementKind::timoshenko, elements) / exact - 1));
  EXPECT_LT(errors[2], 0.004);
  for (size_t k = 0; k < 2; ++k)  // linear positions: order 2
    EXPECT_NEAR(std::log2(errors[k] / errors[k + 1]), 2, 0.5) << errors[k];
}

// Law: a pendulum of one stiff element keeps its energy to the order of Newmark (1/2, 1/4).
TEST(ElementFrame, pendulum_keeps_its_energy) {
  RobotDescription description = one_beam();
  description.gravity = {0, -9.81, 0};
  description.links[0].beam->EI_y = 1000;
  const Robot robot(description);
  std::vector<double> errors;
  for (const double h : {0.004, 0.002, 0.001}) {
    const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()), {.elements = 1});
    FrameSystem system(frame, {}, {});
    Newmark newmark(system, {});
    newmark.start(0, Vector::Zero(frame.size));
    double worst = 0, lowest = 0;
    for (int i = 1; i * h <= 2 + 1e-9; ++i) {
      ASSERT_TRUE(newmark.step(i * h));
      spread(frame, newmark.v(), newmark.a(), system.state());
      // a rod that turned by the angle of its chord: its centre is half as high as its end
      const double potential = 9.81 * system.state().x[1][1] / 2;
      const double energy = kinetic_energy(frame, system.state()) +
                            elastic_energy(frame.beams[0], system.state()) + potential;
      lowest = std::min(lowest, potential);
      worst = std::max(worst, std::abs(energy));
    }
    EXPECT_LT(lowest, -4.5);  // it swings: 4.9 J fall
    errors.push_back(worst / 4.905);
  }
  EXPECT_LT(errors[2], 2e-3);
  EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.5) << errors[0] << " " << errors[2];
}

// Law: accelerations of any free tree of rigid links, in space, are those of articulated bodies.
TEST(ElementFrame, accelerations_of_trees) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Robot robot(random_robot(seed, {.drives = false, .springs = false, .couplings = false}));
    Random random(seed);
    const Vector q = random.vector(robot.nq(), 1), v = random.vector(robot.nv(), 1);
    const ElementFrame frame = robot_frame(robot, q);
    FrameState state(frame);
    Vector travel, velocities(frame.size);
    pose_of_joints(frame, q, v, Vector::Zero(robot.nv()), state, travel);
    for (int node = 0; node < frame.nodes(); ++node)
      for (int k = 0; k < 3; ++k) {
        velocities[frame.dof[node][k]] = state.v[node][k];
        velocities[frame.dof[node][k + 3]] = state.w[node][k];
      }
    FrameSystem system(frame, {}, {});
    Newmark newmark(system, {});
    newmark.start(0, velocities);
    spread(frame, newmark.v(), newmark.a(), system.state());
    Vector q_back = q, v_back = v, vdot(robot.nv());
    joints_of_pose(frame, system.state(), system.travel(), q_back, v_back, vdot);
    ConstrainedDynamics dynamics(robot);
    Vector expected(robot.nv()), none(0);
    dynamics.accelerations(q, v, none, 0, expected, none);
    // rounding of a saddle point matrix in absolute coordinates
    EXPECT_LT((v_back - v).cwiseAbs().maxCoeff(), 1e-9) << seed;
    EXPECT_LT((vdot - expected).norm(), 1e-7 * (1 + expected.norm())) << seed;
  }
}

// Order: Newmark on a spatial double pendulum, against itself with a much shorter step.
TEST(Newmark, order_two_in_space) {
  RobotDescription description = random_robot(3, {.links = 3,
                                                  .branches = false,
                                                  .fixed_links = false,
                                                  .drives = false,
                                                  .springs = false,
                                                  .couplings = false});
  for (Link& link : description.links) link.joint.type = JointType::revolute;
  const Robot robot(description);
  const auto end = [&](double h) {
    const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
    FrameSystem system(frame, {}, {});
    Newmark newmark(system, {});
    newmark.start(0, Vector::Zero(frame.size));
    for (int i = 1; i * h <= 0.2 + 1e-9; ++i) EXPECT_TRUE(newmark.step(i * h));
    return Vector(system.travel());
  };
  const Vector exact = end(1e-4);
  const double coarse = (end(4e-3) - exact).norm(), fine = (end(2e-3) - exact).norm();
  EXPECT_GT(exact.norm(), 0.1);  // it moves
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

// Error message.
TEST(ElementFrame, refuses_what_it_cannot_have) {
  RobotDescription description = one_beam();
  description.links[0].drive->elastic.emplace();
  description.links[0].drive->elastic->stiffness = 100;
  description.links[0].drive->rotor_inertia = 1;
  const Robot robot(description);
  try {
    const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_STREQ(error.what(),
                 "drive 'arm' is elastic; a frame of elements has rigid drives, so leave out its "
                 "stiffness");
  }
}

}  // namespace
}  // namespace tauflex
