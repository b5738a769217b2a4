// Springs that are far stiffer than anything the robot does: the motion is that of the rigid robot,
// steps are as long as its, and rounding of positions is not taken for a vibration.
#include <gtest/gtest.h>

#include "plant/four_bars.hpp"
#include "tauflex/mechanics/energy.hpp"

namespace tauflex {
namespace {

Robot arm(const std::string& spring, double gear = 60) {
  return robot_of_text(fmt::format(
      "gravity: [0, 0, 0]\nlinks:\n  - {{name: arm, joint: {{parent: world, type: revolute, axis: "
      "y}}, drive: {{rotor_inertia: 1e-5, gear_ratio: {}{}}}, mass: 1, com: [0.3, 0, 0.2], "
      "inertia: "
      "{{yy: 0.1}}}}\n",
      gear, spring));
}

// A smooth torque that starts and ends at 0, for one second.
Simulation swing(const Robot& robot, double gear = 60) {
  const Vector t = Vector::LinSpaced(1001, 0, 1);
  const Matrix u = (t.array() * 2 * M_PI).sin().cube().transpose() * 0.3;
  ForwardProblem problem(robot, TorqueSignal(t, u, Hold::smooth));
  Vector q = Vector::Zero(robot.nv());
  q[0] = 0.97;
  if (q.size() > 1) q[1] = gear * 0.97;
  return simulate(problem, q, Vector::Zero(q.size()), Vector::LinSpaced(41, 0, 1));
}

// A limit: (frequency of the torque / frequency of the spring)^2 is 1e-11.
TEST(StiffDrive, moves_as_a_rigid_one) {
  const Simulation rigid = swing(arm(""));
  ASSERT_EQ(rigid.status, Status::solved) << rigid.message;
  for (const char* damping : {"0", "1", "1e4", "1e8"}) {
    const Simulation run = swing(arm(fmt::format(", stiffness: 1e12, damping: {}", damping)));
    ASSERT_EQ(run.status, Status::solved) << damping << ": " << run.message;
    EXPECT_LT(run.steps, 1000) << damping;  // of 40 samples
    // 300 steps of 1e-10 of 5 rad and 10 rad/s
    EXPECT_LT((run.q.row(0) - rigid.q.row(0)).cwiseAbs().maxCoeff(), 1e-7) << damping;
    EXPECT_LT((run.v.row(0) - rigid.v.row(0)).cwiseAbs().maxCoeff(), 1e-7) << damping;
  }
}

// In a loop the state is put back on the constraints after every step, and springs must not notice.
TEST(StiffDrive, moves_as_a_rigid_one_in_a_loop) {
  const auto four_bar = [](const std::string& spring) {
    return robot_of_text(
        "gravity: [0, -9.81, 0]\nlinks:\n  - {name: crank, joint: {parent: world, type: revolute, "
        "axis: z}, mass: 1, com: [0.1, 0.1, 0], inertia: {zz: 0.02}, drive: {rotor_inertia: 1e-3, "
        "gear_ratio: 10" +
        spring +
        "}}\n  - {name: coupler, joint: {parent: crank, at: [0.2, 0.3, 0], type: revolute, axis: "
        "z}, "
        "mass: 2, com: [0.4, 0, 0], inertia: {zz: 0.1}}\n  - {name: rocker, joint: {parent: world, "
        "at: [0.9, 0, 0], type: revolute, axis: z}, mass: 1, com: [0, 0.2, 0], inertia: {zz: "
        "0.05}}\nframes: {tip: {link: coupler, at: [0.8, 0.2, 0]}, pin: {link: rocker, at: [0.1, "
        "0.5, 0]}}\nconstraints: [{name: loop, closure: {frames: [tip, pin], locked: [x, y]}}]\n");
  };
  const auto fall = [](const Robot& robot) {
    ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(1, 1), Hold::smooth));
    const Vector rest = Vector::Zero(robot.nv());
    return simulate(problem, rest, rest, Vector::LinSpaced(21, 0, 0.4));
  };
  const Simulation rigid = fall(four_bar(""));
  ASSERT_EQ(rigid.status, Status::solved) << rigid.message;
  const Simulation run = fall(four_bar(", stiffness: 1e12, damping: 1e8"));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  EXPECT_LT(run.steps, 5000);  // 3066: it starts out of balance
  // 20 N m on 1e12 N m/rad, and steps of 1e-10 each
  EXPECT_LT((run.q.topRows(3) - rigid.q).cwiseAbs().maxCoeff(), 1e-8);
}

// A law: a spring that starts out of balance vibrates, 180 times in this run, and keeps its
// energy. What is small is not damped away.
TEST(StiffDrive, a_vibration_keeps_its_energy) {
  const Robot robot = arm(", stiffness: 1e6, damping: 0");
  ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(1, 1), Hold::smooth));
  Vector q(2);
  q << 0.5, 60 * (0.5 + 1e-5);
  const Simulation run = simulate(problem, q, Vector::Zero(2), Vector::LinSpaced(21, 0, 0.2));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  MechanicsData data(robot);
  for (Eigen::Index i = 0; i < run.t.size(); ++i) {
    const auto e = energy(robot, data, run.q.col(i), run.v.col(i));
    // K d^2 / 2 = 5e-5 J; 5,800 steps of 4e-14 / 1e-5 each, 10 % were lost with a stale matrix
    EXPECT_NEAR((e.kinetic + e.potential) / 5e-5, 1, 1e-3) << run.t[i];
  }
}

// Rounding of positions shakes a stiff spring at its frequency; no step can resolve that.
TEST(StiffDrive, steps_do_not_resolve_rounding_of_positions) {
  const Robot robot = robot_of_text(
      "gravity: [0, 0, -9.81]\nlinks:\n  - {name: arm, joint: {parent: world, type: revolute, "
      "axis: y}, drive: {rotor_inertia: 1, stiffness: 1e12, damping: 10}, mass: 10, com: [0.5, 0, "
      "0], inertia: {yy: 0.5}}\n");
  ForwardProblem problem(robot,
                         TorqueSignal(Vector::Zero(1), Matrix::Constant(1, 1, -40), Hold::smooth));
  const Simulation run =
      simulate(problem, Vector::Zero(2), Vector::Zero(2), Vector::LinSpaced(11, 0, 0.2));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  EXPECT_LT(run.steps, 3000);                      // 143 000 with 1e-12 rad/s asked for
  EXPECT_NEAR(run.q(0, 10), run.q(1, 10), 1e-10);  // wound up by 40 N m / 1e12
}

// Twenty joints with springs and dampers, the tip on a line: rounding of the constraint forces must
// not wake modes that are long damped.
TEST(StiffChain, steps_do_not_resolve_rounding) {
  std::string links;
  for (int k = 0; k < 20; ++k)
    links += fmt::format(
        "  - {{name: l{}, joint: {{parent: {}, at: [{}, 0, 0], type: revolute, axis: z}}, spring: "
        "{{stiffness: 1000, damping: 10}}, mass: 0.05, com: [0.025, 0, 0], inertia: {{zz: "
        "1e-5}}}}\n",
        k, k ? fmt::format("l{}", k - 1) : "world", k ? 0.05 : 0.0);
  const Robot robot = robot_of_text("gravity: [0, -9.81, 0]\nlinks:\n" + links +
                                    "frames: {tip: {link: l19, at: [0.05, 0, 0]}}\nconstraints: "
                                    "[{name: rail, plane: {frame: tip, normal: y}}]\n");
  ForwardProblem problem(robot, TorqueSignal(Vector::Zero(1), Matrix::Zero(0, 1), Hold::smooth));
  const Simulation run =
      simulate(problem, Vector::Zero(20), Vector::Zero(20), Vector::LinSpaced(11, 0, 0.3));
  ASSERT_EQ(run.status, Status::solved) << run.message;
  EXPECT_LT(run.steps, 600);  // 340; as many as without the constraint; 1300 with the rounding of M
}

// An error message, and early: the spring rings at 840 Hz, and ten seconds of it take some hundred
// thousand steps.
TEST(StiffDrive, a_run_without_end_is_stopped_by_its_pace) {
  const Robot robot = arm(", stiffness: 1e6");
  ForwardProblem problem(
      robot, TorqueSignal(Vector::LinSpaced(2, 0, 10), Matrix::Zero(1, 2), Hold::smooth));
  const Vector q{{0.97, 60 * 0.98}};
  const Simulation run = simulate(problem, q, Vector::Zero(2), Vector::LinSpaced(2001, 0, 10),
                                  SimulationOptions{.max_steps = 5000});
  EXPECT_EQ(run.status, Status::not_converged);
  EXPECT_LT(run.steps, 1500);  // a tenth of 5000, and those of one sample
  EXPECT_NE(run.message.find("5000 steps are allowed (max_steps)"), std::string::npos)
      << run.message;
}

// The same where one sample is all that is asked for: the pace is watched between samples too.
TEST(StiffDrive, a_run_without_end_is_stopped_before_its_first_sample) {
  const Robot robot = arm(", stiffness: 1e6");
  const Vector q{{0.97, 60 * 0.98}}, times = Vector::LinSpaced(2, 0, 1e7);
  ForwardProblem problem(robot, TorqueSignal(times, Matrix::Zero(1, 2), Hold::smooth));
  const Simulation run =
      simulate(problem, q, Vector::Zero(2), times, SimulationOptions{.max_steps = 50000});
  EXPECT_EQ(run.status, Status::not_converged);
  EXPECT_LT(run.steps, 6000);  // a tenth of 50000
  EXPECT_NE(run.message.find("50000 steps are allowed (max_steps)"), std::string::npos)
      << run.message;
}

// A second method: springs that are slow against the samples are integrated explicitly, and move as
// they do by the implicit method, which has samples so far apart that it is chosen.
TEST(SlowDrive, moves_as_by_the_implicit_method) {
  const Robot robot = arm(", stiffness: 300, damping: 0.1");
  const auto run = [&](int samples) {
    const Vector t = Vector::LinSpaced(1001, 0, 1);
    const Matrix u = (t.array() * 2 * M_PI).sin().cube().transpose() * 0.3;
    ForwardProblem problem(robot, TorqueSignal(t, u, Hold::smooth));
    Vector q(2);
    q << 0.97, 60 * 0.97;
    return simulate(problem, q, Vector::Zero(2), Vector::LinSpaced(samples + 1, 0, 1));
  };
  const Simulation fifth = run(1000), eighth = run(100), implicit = run(2);
  EXPECT_EQ(fifth.integrator, "SUNDIALS ARKODE, Cash-Karp 6-4-5");
  EXPECT_EQ(eighth.integrator, "SUNDIALS ARKODE, Fehlberg 13-7-8");
  EXPECT_EQ(implicit.integrator, "SUNDIALS ARKODE, ARK5(4)8L[2]SA DIRK");
  for (const Simulation* other : {&fifth, &eighth}) {
    ASSERT_EQ(other->status, Status::solved) << other->message;
    // some hundred steps of 1e-10 of 5 rad
    EXPECT_NEAR(other->q(0, other->q.cols() - 1), implicit.q(0, 2), 1e-8);
    EXPECT_NEAR(other->v(0, other->v.cols() - 1), implicit.v(0, 2), 1e-7);
  }
}

// A spring that is slow where it starts and hardens a thousandfold under load: the implicit method
// takes over on the way.
TEST(SlowDrive, that_hardens_is_left_to_the_implicit_method) {
  const Robot robot = arm(", stiffness: 1, damping: 1e-3, hardening: [1e12]");
  const Vector t = Vector::LinSpaced(401, 0, 1);
  const Matrix u = (t.array() * M_PI).sin().cube().transpose() * 3.0;
  const auto run = [&](const Vector& times) {
    ForwardProblem problem(robot, TorqueSignal(t, u, Hold::smooth));
    return simulate(problem, Vector::Zero(2), Vector::Zero(2), times);
  };
  const Simulation slow = run(t), implicit = run(Vector::LinSpaced(2, 0, 1));
  ASSERT_EQ(slow.status, Status::solved) << slow.message;
  ASSERT_EQ(implicit.status, Status::solved) << implicit.message;
  EXPECT_EQ(slow.integrator, "SUNDIALS ARKODE, ARK5(4)8L[2]SA DIRK");
  EXPECT_NEAR(slow.q(0, slow.q.cols() - 1), implicit.q(0, 1), 1e-6 * std::abs(implicit.q(0, 1)));
}

}  // namespace
}  // namespace tauflex
