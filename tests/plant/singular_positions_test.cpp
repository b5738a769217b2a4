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
    for (int start = 0; start < 14; ++start) {
      if (samples > 1000 && start % 5) continue;  // these take longer
      const double speed = 0.2 + 0.5 * start;
      const Simulation run = turn(robot, 2, speed, Vector::LinSpaced(samples, 0, 3), {});
      ASSERT_EQ(run.status, Status::solved) << speed << ": " << run.message;
      const Vector total = energies(robot, run);
      // of 60 J and more that move; local errors of 1e-10 add up
      EXPECT_LT((total.array() - total[0]).abs().maxCoeff(), 60 * 1e-8) << speed;
      EXPECT_LT((run.q.row(0) + run.q.row(3)).array().sin().abs().maxCoeff(), 1e-8) << speed;
      EXPECT_LT((run.q.row(1) + run.q.row(4)).array().sin().abs().maxCoeff(), 1e-8) << speed;
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

// 243 coordinates and as many rows, less one: sparse.
TEST(SingularPositions, forty_four_bars_in_absolute_coordinates_move_as_their_tree) {
  const Robot robot = four_bars_in_absolute_coordinates(40);
  const Simulation run = turn(robot, 40, 1, Vector::LinSpaced(2, 0, 0.05), {});
  ASSERT_EQ(run.status, Status::solved) << run.message;
  const Robot tree = four_bars_as_tree(40);
  const Simulation other = turn(tree, 40, 1, Vector::LinSpaced(2, 0, 0.05), {});
  EXPECT_NEAR(run.q(2, 1), other.q(0, 1), 1e-10);  // of one step's tolerance
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
