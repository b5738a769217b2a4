// Frames of elements that move: frequencies in closed form, energies, and the same motion as the
// tree of links.
#include "mechanics/random_robots.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/elements/beam_damping.hpp"
#include "tauflex/elements/frame_forces.hpp"
#include "tauflex/elements/frame_pose.hpp"
#include "tauflex/elements/frame_system.hpp"
#include "tauflex/elements/newmark.hpp"
#include "tauflex/elements/robot_frame.hpp"
#include "tauflex/math/decompositions.hpp"
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

// Lowest frequency of the clamped frame in its plane, rad/s: 1/w^2 is the largest eigenvalue of
// K^-1 M, in which M may be singular.
double clamped_frequency(ElementKind kind, int elements) {
  RobotDescription description = one_beam();
  description.links[0].beam->EA = 1e6;  // else rows keep its length
  const Robot robot(description);
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()), {kind, elements});
  const FrameState state(frame);
  const auto matrix = [&](double mass, double stiffness) {
    std::vector<SparseLdlt::Entry> entries;
    frame_matrix(frame, state, Vector::Zero(1), mass, stiffness, 0, entries);
    Matrix full = Matrix::Zero(frame.size, frame.size);
    for (const auto& [row, column, value] : entries) {
      full(row, column) += value;
      if (row != column) full(column, row) += value;
    }
    return Matrix(full.bottomRightCorner(frame.size - 3, frame.size - 3));  // node 0 stands still
  };
  const Matrix R = cholesky_factor(matrix(0, 1));
  const Matrix half = solve_linear(R.transpose(), matrix(1, 0));
  const Matrix both = solve_linear(R.transpose(), Matrix(half.transpose()));
  return 1 / std::sqrt(symmetric_eigenvalues((both + both.transpose()) / 2).maxCoeff());
}

// Closed form: 3.516015 sqrt(EI / (rho A L^4)), both kinds of elements, converging.
TEST(ElementFrame, clamped_frequencies_converge) {
  const double exact = 3.516015268500151;
  const auto orders = [&](ElementKind kind, int first) {
    std::vector<double> errors;
    for (const int factor : {1, 2, 4})
      errors.push_back(std::abs(clamped_frequency(kind, factor * first) / exact - 1));
    return std::array<double, 2>{std::log2(errors[0] / errors[1]),
                                 std::log2(errors[1] / errors[2])};
  };
  EXPECT_NEAR(clamped_frequency(ElementKind::bernoulli, 1), exact, 0.005 * exact);  // 0.48 %
  EXPECT_NEAR(clamped_frequency(ElementKind::timoshenko, 8), exact, 0.01 * exact);
  for (const double order : orders(ElementKind::bernoulli, 2)) EXPECT_NEAR(order, 4, 0.2);
  for (const double order : orders(ElementKind::timoshenko, 4)) EXPECT_NEAR(order, 2, 0.2);
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
      // the mean of the cubic: of its ends, and of the difference of their tangents
      const auto& [x, R, v, w, a, alpha] = system.state();
      const double potential = 9.81 * ((x[0] + x[1])[1] / 2 + (R[0] - R[1])(1, 0) / 12);
      const double energy = kinetic_energy(frame, system.state()) +
                            elastic_energy(frame.beams[0], system.state()) + potential;
      lowest = std::min(lowest, potential);
      worst = std::max(worst, std::abs(energy));
    }
    EXPECT_LT(lowest, -4.5);  // it swings: 4.9 J fall
    errors.push_back(worst / 4.905);
  }
  EXPECT_LT(errors[2], 1e-4);
  EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.7) << errors[0] << " " << errors[2];
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

// An arm in space whose first link bends both ways and twists, with a rigid second link.
RobotDescription elastic_arm_in_space(int elements) {
  RobotDescription robot = one_beam();
  robot.gravity = {0, 0, -9.81};
  Beam& beam = *robot.links[0].beam;
  beam.to = {0.5, 0, 0};
  beam.EI_y = 200;
  beam.EI_z = 300;
  beam.GJ = 150;
  beam.twist_inertia = 1e-3;
  beam.elements = elements;
  robot.links.emplace_back();
  Link& fore = robot.links.back();
  fore.name = "fore";
  fore.joint.parent = "arm";
  fore.joint.X_PJ.p = {0.5, 0, 0};
  fore.joint.axis = Vector3(0.2, 1, 0.1).normalized();
  fore.inertia.mass = 0.7;
  fore.inertia.com = {0.1, 0.05, 0.02};
  fore.inertia.about_com = Vector3(0.01, 0.02, 0.025).asDiagonal();
  fore.inertia.given.fill(true);
  return robot;
}

// Laws: forces of masses are linear in accelerations with the mass matrix; those of beams are the
// gradient of their energy; kinetic energy is that of the mass matrix.
TEST(ElementFrame, matrices_energies_and_forces_agree) {
  RobotDescription description = elastic_arm_in_space(2);
  description.links[0].beam->EA = 1e4;
  const Robot robot(description);
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
  FrameSystem system(frame, {}, {});
  Random random(5);
  system.keep_pose();
  system.move_from_kept(random.vector(frame.size, 0.1));  // bent, twisted and stretched
  const Vector v = random.vector(frame.size, 1), a = random.vector(frame.size, 1);
  const Vector none = Vector::Zero(frame.size);
  std::vector<SparseLdlt::Entry> entries;
  frame_matrix(frame, system.state(), system.travel(), 1, 0, 0, entries);
  Matrix M = Matrix::Zero(frame.size, frame.size);
  for (const auto& [row, column, value] : entries) {
    M(row, column) += value;
    if (row != column) M(column, row) += value;
  }
  Vector with(frame.size), without(frame.size);
  system.forces(0, v, a, with);
  system.forces(0, v, none, without);
  EXPECT_LT((with - without - M * a).norm(), 1e-10 * with.norm());  // rounding beside EA
  spread(frame, v, none, system.state());
  EXPECT_NEAR(kinetic_energy(frame, system.state()), 0.5 * v.dot(M * v), 1e-12 * M.trace());
  // gradient by differences of order 2, whose error is that of a step of 1e-5
  const auto energy = [&](const Vector& step) {
    system.move_from_kept(step);
    double sum = 0;
    for (const auto& beam : frame.beams) sum += elastic_energy(beam, system.state());
    return sum;
  };
  system.keep_pose();
  std::array<NodeForce, 2> at;
  Vector elastic = none, gradient = none;
  for (const auto& beam : frame.beams) {
    at = elastic_forces(beam, system.state());
    for (int k = 0; k < 3; ++k) {
      elastic[frame.dof[beam.a][k]] += at[0].force[k];
      elastic[frame.dof[beam.a][k + 3]] += at[0].moment[k];
      elastic[frame.dof[beam.b][k]] += at[1].force[k];
      elastic[frame.dof[beam.b][k + 3]] += at[1].moment[k];
    }
  }
  for (int i = 0; i < frame.size; ++i) {
    const double h = 1e-5;
    gradient[i] =
        (energy(h * Vector::Unit(frame.size, i)) - energy(-h * Vector::Unit(frame.size, i))) /
        (2 * h);
  }
  EXPECT_LT((gradient - elastic).norm(), 1e-6 * elastic.norm());
}

// Law: beams in space accelerate as those of the floating frame do, from a pose without deflection.
TEST(ElementFrame, beams_in_space_accelerate_as_beam_links) {
  for (const int elements : {1, 3}) {
    const Robot robot(elastic_arm_in_space(elements));
    Vector q = Vector::Zero(robot.nq()), v = Vector::Zero(robot.nv());
    q[0] = 0.3;
    q[robot.nq() - 1] = 0.7;
    v[0] = 1.1;
    v[robot.nv() - 1] = -0.8;
    const ElementFrame frame = robot_frame(robot, q);
    ASSERT_FALSE(frame.planar);
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
    dynamics.accelerations(q, v, Vector::Zero(1), 0, expected, none);
    // the same cubics and the same mass; only twisting is distributed otherwise
    EXPECT_LT((vdot - expected).norm(), 1e-3 * expected.norm()) << elements << "\n"
                                                                << vdot.transpose() << "\n"
                                                                << expected.transpose();
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

// Law: damping of beams acts as in beam links, in every direction and by all three of its numbers.
TEST(ElementFrame, beams_are_damped_as_beam_links) {
  const auto accelerations = [](const Robot& robot, bool of_frame) {
    Vector q = Vector::Zero(robot.nq()), v = Vector::Zero(robot.nv());
    const ElementFrame frame = robot_frame(robot, q);
    Random random(7);
    Vector velocities = Vector::Zero(frame.size);
    const auto move = [&](int node, int direction, const Vector3& axis, double rate) {
      for (int k = 0; k < 3; ++k)
        velocities[frame.dof[node][k + (direction < 3 ? 0 : 3)]] += axis[k] * rate;
    };
    const int end = frame.joints[1].parent, fore = frame.joints[1].child;
    for (const auto& deflection : frame.deflections) {
      v[deflection.v] = random.vector(1, 1)[0];
      const Vector3 axis = deflection.axes.col(deflection.direction % 3);
      move(deflection.node, deflection.direction, axis, v[deflection.v]);
      if (deflection.node == end) move(fore, deflection.direction, axis, v[deflection.v]);
    }
    Vector vdot = Vector::Zero(robot.nv()), none(0);
    if (!of_frame) {
      ConstrainedDynamics dynamics(robot);
      dynamics.accelerations(q, v, Vector::Zero(1), 0, vdot, none);
      return vdot;
    }
    FrameSystem system(frame, {}, {});
    Newmark newmark(system, {});
    newmark.start(0, velocities);
    system.set_motion(newmark.v(), newmark.a());
    joints_of_pose(frame, system.state(), system.travel(), q, v, vdot);
    return vdot;
  };
  const RobotDescription still = elastic_arm_in_space(2);
  for (int kind = 0; kind < 3; ++kind) {
    RobotDescription damped = still;
    Beam& beam = *damped.links[0].beam;
    (kind == 0   ? beam.damping_ratio
     : kind == 1 ? beam.mass_damping
                 : beam.stiffness_damping) = kind == 0   ? 0.05
                                             : kind == 1 ? 20
                                                         : 1e-3;
    // what damping alone does: other forces of the motion differ by squares of its rates
    const Vector frame = accelerations(Robot(damped), true) - accelerations(Robot(still), true),
                 tree = accelerations(Robot(damped), false) - accelerations(Robot(still), false);
    EXPECT_LT((frame - tree).norm(), 1e-2 * tree.norm()) << kind;  // twisting has another mass
    EXPECT_GT(tree.norm(), 1) << kind;
  }
}

// Law: damping takes the power that its forces have, and nothing from a rigid motion.
TEST(ElementFrame, damping_takes_power) {
  RobotDescription description = elastic_arm_in_space(3);
  description.links[0].beam->damping_ratio = 0.1;
  const Robot robot(description);
  const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
  FrameSystem system(frame, {}, {});
  Random random(3);
  system.keep_pose();
  system.move_from_kept(random.vector(frame.size, 0.1));
  const Vector v = random.vector(frame.size, 1);
  system.set_motion(v, Vector::Zero(frame.size));
  Vector forces = Vector::Zero(frame.size);
  add_damping_forces(frame, system.state(), forces);
  EXPECT_GT(damping_power(frame, system.state()), 0);
  EXPECT_NEAR(forces.dot(v) / damping_power(frame, system.state()), 1, 1e-12);
  FrameState& state = system.state();
  const Vector3 w(0.3, -0.2, 0.7);
  for (int node = 0; node < frame.nodes(); ++node) {
    state.v[node] = Vector3(1, 2, 3) + w.cross(state.x[node]);
    state.w[node] = state.R[node].transpose() * w;
  }
  EXPECT_NEAR(damping_power(frame, state), 0, 1e-20);
}

// Error message.
TEST(ElementFrame, refuses_what_it_cannot_have) {
  RobotDescription description = one_beam();
  description.links.emplace_back();
  description.links.back().name = "hand";
  description.links.back().joint.parent = "arm";
  description.links.back().joint.type = JointType::spherical;
  description.links.back().inertia.mass = 1;
  description.links.back().inertia.about_com.setIdentity();
  description.links.back().inertia.given.fill(true);
  const Robot robot(description);
  try {
    const ElementFrame frame = robot_frame(robot, Vector::Zero(robot.nq()));
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_STREQ(error.what(),
                 "link 'hand': a frame of elements has joints about and along axes only; a "
                 "spherical joint is three revolute ones in a row");
  }
}

}  // namespace
}  // namespace tauflex
