// Motion through positions where the constraints lose rank, published values and laws, and runs
// that cannot go on: they stop at once, with time, reason and pose.
#include <gtest/gtest.h>

#include "plant/four_bars.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/energy.hpp"

namespace tauflex {
namespace {

SimulationOptions tolerance(double value) {
  return {.relative_tolerance = value, .absolute_tolerance = value};
}

// Energy of a run without motors, at each time.
Vector energies(const Robot& robot, const Simulation& run) {
  MechanicsData data(robot);
  Vector sum(run.t.size());
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    const auto e = energy(robot, data, run.q.col(i), run.v.col(i));
    sum[i] = e.kinetic + e.potential;
  }
  return sum;
}

// Published: B0 after 10 s.
TEST(SingularPositions, four_bars_at_every_tolerance) {
  const Robot robot = four_bars_as_tree(2);
  for (const double tight : {1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
    const Simulation run = turn(robot, 2, 1, Vector::LinSpaced(101, 0, 10), tolerance(tight));
    ASSERT_EQ(run.status, Status::solved) << tight << ": " << run.message;
    const double angle = run.q(0, 100), rate = run.v(0, 100);
    // the upright position is unstable and visited five times: errors grow 1e3 times
    const double error = std::max(1e-9, 1e3 * tight);
    EXPECT_NEAR(-std::sin(angle), 0.328458111540816, error) << tight;
    EXPECT_NEAR(std::cos(angle), 0.944518538178601, error) << tight;
    EXPECT_NEAR(-rate * std::cos(angle), 1.423051470206945, 3 * error) << tight;
    EXPECT_NEAR(-rate * std::sin(angle), -0.494868845487044, 3 * error) << tight;
    EXPECT_LT(run.steps, 1000) << tight;  // 486 at 1e-12
  }
}

TEST(SingularPositions, four_bars_in_absolute_coordinates) {
  const Robot robot = four_bars_in_absolute_coordinates(2);
  const Simulation run = turn(robot, 2, 1, Vector::LinSpaced(51, 0, 5), {});
  ASSERT_EQ(run.status, Status::solved) << run.message;
  const Robot tree = four_bars_as_tree(2);
  const Simulation other = turn(tree, 2, 1, Vector::LinSpaced(51, 0, 5), {});
  ASSERT_EQ(other.status, Status::solved) << other.message;
  // two formulations of one motion; errors of 1e-10 grow with every turn
  EXPECT_NEAR(run.q(2, 50), other.q(0, 50), 1e-7);
  EXPECT_NEAR(run.v(2, 50), other.v(0, 50), 1e-7);
}

// A law: whatever the speed, and wherever samples lie, energy is kept and couplers stay parallel to
// the ground.
TEST(SingularPositions, energy_and_branch_are_kept_from_every_start) {
  const Robot robot = four_bars_as_tree(2);
  for (const Eigen::Index samples : {31, 3001})
    for (int start = 0; start < 70; ++start) {
      if (samples > 1000 && start != 7) continue;  // these take longer
      const double speed = 0.2 + 0.1 * start;
      const Simulation run = turn(robot, 2, speed, Vector::LinSpaced(samples, 0, 3), {});
      ASSERT_EQ(run.status, Status::solved) << speed << ": " << run.message;
      const Vector total = energies(robot, run);
      // of 60 J and more that move; local errors of 1e-10 add up
      EXPECT_LT((total.array() - total[0]).abs().maxCoeff(), 60 * 1e-8) << speed;
      EXPECT_LT((run.q.row(0) + run.q.row(3)).array().sin().abs().maxCoeff(), 1e-8) << speed;
      EXPECT_LT((run.q.row(1) + run.q.row(4)).array().sin().abs().maxCoeff(), 1e-8) << speed;
    }
}

// One turn or more from a start on the smooth branch, on which a combination of the angles stays 0.
void expect_smooth_turns(const Robot& robot, const Vector& q, const Vector& v,
                         const Vector& branch) {
  for (const double speed : {0.3, 1.0, 2.7, 9.0})
    for (const double tight : {1e-7, 1e-10, 1e-12}) {
      ForwardProblem problem(robot,
                             TorqueSignal(Vector::Zero(1), Matrix::Zero(0, 1), Hold::smooth));
      const Vector times = Vector::LinSpaced(41, 0, 10 / speed);
      const Simulation run = simulate(problem, q, speed * v, times, tolerance(tight));
      ASSERT_EQ(run.status, Status::solved) << speed << ", " << tight << ": " << run.message;
      EXPECT_GT(run.q.row(0).cwiseAbs().maxCoeff(), 6) << speed;
      const Vector total = energies(robot, run);
      // local errors add up
      EXPECT_LT((total.array() - total[0]).abs().maxCoeff(),
                std::max(1e3 * tight, 1e-9) * total.cwiseAbs().maxCoeff())
          << speed << ", " << tight;
      EXPECT_LT((branch.transpose() * run.q).array().sin().abs().maxCoeff(),
                std::max(1e3 * tight, 1e-9))
          << speed << ", " << tight;
      EXPECT_LT(run.steps, 2000) << speed << ", " << tight;
    }
}

// A parallelogram of other lengths and masses, in the size of a watch and of a crane: it folds flat
// twice in every turn.
TEST(SingularPositions, parallelograms_of_all_sizes) {
  for (const double size : {1e-2, 1.0, 30.0}) {
    const Robot robot =
        robot_of_text(fmt::format("gravity: [0, 0, 0]\nlinks:\n  - {{name: crank, joint: {{parent: "
                                  "world, type: revolute, axis: "
                                  "z}}, mass: 1, com: [0, {0}, 0], inertia: {{zz: {1}}}}}\n  - "
                                  "{{name: coupler, joint: {{parent: "
                                  "crank, at: [0, {2}, 0], type: revolute, axis: z}}, mass: 3, "
                                  "com: [{0}, 0, 0], inertia: {{zz: "
                                  "{1}}}}}\n  - {{name: rocker, joint: {{parent: world, at: [{3}, "
                                  "0, 0], type: revolute, axis: "
                                  "z}}, mass: 0.4, com: [0, {0}, 0], inertia: {{zz: "
                                  "{1}}}}}\nframes: {{tip: {{link: coupler, at: "
                                  "[{3}, 0, 0]}}, pin: {{link: rocker, at: [0, {2}, "
                                  "0]}}}}\nconstraints: [{{name: loop, closure: "
                                  "{{frames: [tip, pin], locked: [x, y]}}}}]\n",
                                  0.2 * size, 0.03 * size * size, 0.4 * size, 0.7 * size));
    expect_smooth_turns(robot, Vector::Zero(3), Eigen::Vector3d(1, -1, 1),
                        Eigen::Vector3d(1, 1, 0));
  }
}

// Crank and rod of one length: with both upright the slider stands on the crank's axis, and could
// stay there.
TEST(SingularPositions, slider_crank_of_equal_lengths) {
  for (const double size : {1e-2, 1.0, 30.0}) {
    const Robot robot = robot_of_text(fmt::format(
        "gravity: [0, 0, 0]\nlinks:\n  - {{name: crank, joint: {{parent: world, type: revolute, "
        "axis: "
        "z}}, mass: 1, com: [{0}, 0, 0], inertia: {{zz: {1}}}}}\n  - {{name: rod, joint: {{parent: "
        "crank, at: [{2}, 0, 0], type: revolute, axis: z}}, mass: 2, com: [{0}, 0, 0], inertia: "
        "{{zz: "
        "{1}}}}}\nframes: {{slider: {{link: rod, at: [{2}, 0, 0]}}}}\nconstraints: [{{name: rail, "
        "plane: {{frame: slider, normal: y}}}}]\n",
        0.25 * size, 0.05 * size * size, 0.5 * size));
    expect_smooth_turns(robot, Vector::Zero(2), Eigen::Vector2d(1, -2), Eigen::Vector2d(2, 1));
  }
}

// Springs ask for an implicit method; the explicit one crosses, and takes springs with it.
TEST(SingularPositions, with_springs) {
  for (const auto& [stiffness, speed] :
       {std::pair(0.5, 3.0), {0.5, 7.0}, {20.0, 8.0}, {2.0, 5.0}}) {
    const Robot robot =
        four_bars_as_tree(2, fmt::format(", spring: {{stiffness: {}, damping: 0}}", stiffness));
    for (const double tight : {1e-8, 1e-10}) {
      const Simulation run = turn(robot, 2, speed, Vector::LinSpaced(21, 0, 2), tolerance(tight));
      ASSERT_EQ(run.status, Status::solved) << stiffness << ": " << run.message;
      EXPECT_GT(run.q.row(0).cwiseAbs().maxCoeff(), M_PI_2) << stiffness;  // beyond the first
      const Vector total = energies(robot, run);
      // of 60 J; local errors add up
      EXPECT_LT((total.array() - total[0]).abs().maxCoeff(), 60 * 100 * tight) << stiffness;
      EXPECT_LT((run.q.row(0) + run.q.row(3)).array().sin().abs().maxCoeff(), 1e-7) << stiffness;
      EXPECT_LT(run.steps, 2000) << stiffness;
    }
  }
}

// A drive whose spring is stiff: it is crossed with its energy, or the run stops at once, and says
// where and why.
TEST(SingularPositions, with_an_elastic_drive) {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e9, 1e12}) {
    const Robot robot = robot_of_text(fmt::format(
        "gravity: [0, 0, 0]\nlinks:\n  - {{name: crank, joint: {{parent: world, type: revolute, "
        "axis: "
        "z}}, mass: 1, com: [0.25, 0, 0], inertia: {{zz: 0.05}}, drive: {{rotor_inertia: 0.1, "
        "stiffness: {}}}}}\n  - {{name: rod, joint: {{parent: crank, at: [0.5, 0, 0], type: "
        "revolute, "
        "axis: z}}, mass: 2, com: [0.25, 0, 0], inertia: {{zz: 0.05}}}}\nframes: {{slider: {{link: "
        "rod, at: [0.5, 0, 0]}}}}\nconstraints: [{{name: rail, plane: {{frame: slider, normal: "
        "y}}}}]\n",
        stiffness));
    ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(1, 1), Hold::smooth));
    const Simulation run =
        simulate(problem, Vector::Zero(3), Eigen::Vector3d(2, -4, 2), Vector::LinSpaced(21, 0, 2));
    const Vector total = energies(robot, run);
    // of 0.8 J, at tolerance 1e-10
    EXPECT_LT((total.array() - total[0]).abs().maxCoeff(), 1e-6) << stiffness;
    EXPECT_LT((2 * run.q.row(0) + run.q.row(1)).array().sin().abs().maxCoeff(), 1e-8) << stiffness;
    EXPECT_LT(run.steps, 10'000) << stiffness;
    if (stiffness < 1e8) {
      ASSERT_EQ(run.status, Status::solved) << stiffness << ": " << run.message;
      EXPECT_GT(run.q(0, 20), 2.5) << stiffness;
      continue;
    }
    EXPECT_EQ(run.status, Status::not_converged) << stiffness;
    for (const char* part : {"t = 1.1", "too fast", "singular position", "crank = 1."})
      EXPECT_NE(run.message.find(part), std::string::npos) << run.message;
  }
}

// Where the rods lie on one line at the start, the next branch is not determined.
TEST(SingularPositions, a_start_on_one_line_stops_at_once) {
  const Robot robot = four_bars_as_tree(2);
  Vector q(5), v(5);
  q << -M_PI_2, -M_PI_2, -M_PI_2, M_PI_2, M_PI_2;
  v << -1, -1, -1, 1, 1;
  ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(0, 1), Hold::smooth));
  const Simulation run = simulate(problem, q, v, Vector::LinSpaced(11, 0, 1));
  EXPECT_EQ(run.status, Status::not_converged);
  EXPECT_LT(run.steps, 1000);
  for (const char* part : {"t = ", "singular position", "crank0 = -1.5708"})
    EXPECT_NE(run.message.find(part), std::string::npos) << run.message;
  EXPECT_EQ(run.message.find("ARK"), std::string::npos) << run.message;
}

// 243 coordinates and as many rows, less one: sparse. The last links are 40 m from the origin,
// where positions have the rounding of 40 m. All lie on one line at t = 0.724 s.
TEST(SingularPositions, forty_four_bars_in_absolute_coordinates_move_as_their_tree) {
  const Robot robot = four_bars_in_absolute_coordinates(40), tree = four_bars_as_tree(40);
  const Vector times = Vector::LinSpaced(11, 0, 1);
  const Simulation run = turn(robot, 40, 1, times, {}), other = turn(tree, 40, 1, times, {});
  for (const auto& [one, simulation] : {std::pair(&tree, &other), {&robot, &run}}) {
    ASSERT_EQ(simulation->status, Status::solved) << simulation->message;
    EXPECT_LT(simulation->steps, 100);
    const Vector total = energies(*one, *simulation);
    // of 800 J that move; local errors add up
    EXPECT_LT((total.array() - total[0]).abs().maxCoeff(), 800 * 1e-8);
  }
  EXPECT_LT(other.q(0, 10), -M_PI_2);
  for (Eigen::Index i = 0; i < times.size(); ++i)
    EXPECT_NEAR(run.q(2, i), other.q(0, i), 1e-7) << times[i];  // errors grow at the position
}

TEST(SingularPositions, a_path_of_a_constraint_that_jumps_in_velocity_is_named) {
  const Robot robot = robot_of_text(R"(
links: [{name: cart, joint: {parent: world, type: [x, y]}, mass: 1}]
constraints:
  - {name: lift, plane: {frame: cart, normal: y}, path: [{line: {from: [0], to: [1]}, duration: 0.5}, {line: {to: [2]}, duration: 0.25, profile: polynomial1}]}
)");
  ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(0, 1), Hold::smooth));
  try {
    simulate(problem, Vector::Zero(2), Vector::Zero(2), Vector::LinSpaced(11, 0, 1));
    FAIL() << "it must be refused";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"test.yaml:4", "'lift'", "t = 0.5 s", "velocity"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  // before the jump it can be simulated
  EXPECT_EQ(
      simulate(problem, Vector::Zero(2), Vector::Zero(2), Vector::LinSpaced(5, 0, 0.4)).status,
      Status::solved);
}

}  // namespace
}  // namespace tauflex
