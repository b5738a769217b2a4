// Jobs with loops, contacts, drivers and controllers, from the file to the proof.
#include <gtest/gtest.h>

#include "example_jobs.hpp"
#include "tauflex/base/errors.hpp"
#include "tauflex/mechanics/inverse_dynamics.hpp"
#include "tauflex/mechanics/motion.hpp"
#include "tauflex/mechanics/reduced_dynamics.hpp"
#include "tauflex/results/free_run.hpp"
#include "tauflex/results/run.hpp"
#include "tauflex/results/trajectory_tables.hpp"
#include "tauflex/trajectory/line.hpp"
#include "tauflex/trajectory/sine.hpp"

namespace tauflex {
namespace {

Record ran(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return run(example_job(name, overrides));
}

Job job_from(const std::string& text) { return read_job(Node::read_text(text, "job.yaml"), "job"); }

TEST(DeltaRobot, ReturnsThePath) {
  for (const char* name : {"delta_robot", "delta_robot_elastic"}) {
    const Record record = ran(name);
    ASSERT_TRUE(record.verification) << record.solution.message;
    EXPECT_EQ(record.verification->mode, VerificationMode::open_loop);
    EXPECT_LT(*record.verification->max_tool_error_m, 1e-6) << name;  // m; asked for
    EXPECT_LT(record.verification->max_constraint_violation, 1e-12) << name;
  }
}

TEST(Polishing, KeepsForceAndPath) {
  const Record record = ran("polishing");
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_LT(*record.verification->max_tool_error_m, 1e-6);     // m; asked for
  EXPECT_LT(*record.verification->max_force_error_N, 1e-3);    // N; asked for
  EXPECT_NEAR(record.verification->lambda(0, 300), 20, 1e-3);  // pushes the robot up
}

TEST(Polishing, NoticesAWrongForce) {
  const Job job = example_job("polishing");
  const Posed posed = pose(job);
  Solution wrong = solve(posed.problem, posed.start, BdfOptions{.order = 4, .step = 1e-3});
  wrong.u *= 1.001;
  const Verification proof = verify(posed.plant, posed.problem, wrong, job.verification);
  EXPECT_EQ(proof.status, Status::missed);
  EXPECT_GT(*proof.max_force_error_N, 1e-2);
}

// Newton on everything and block by block: the same equations, so the same motion.
TEST(Constrained, MonolithicAndBlockwiseAgree) {
  for (const char* name :
       {"four_bar", "delta_robot", "delta_robot_elastic", "polishing", "constant_orientation"}) {
    const Job job = example_job(name);
    const Posed posed = pose(job);
    const double step = 0.005;  // large, so that rounding in u stays small
    const Solution blocks = solve(posed.problem, posed.start,
                                  BdfOptions{.order = 3, .step = step, .form = BdfForm::blockwise});
    const Solution whole = solve(posed.problem, posed.start,
                                 BdfOptions{.order = 3, .step = step, .form = BdfForm::monolithic});
    ASSERT_EQ(blocks.status, Status::solved) << name << blocks.message;
    ASSERT_EQ(whole.status, Status::solved) << name << whole.message;
    const double u = blocks.u.cwiseAbs().maxCoeff(),
                 lambda = 1 + blocks.lambda.cwiseAbs().maxCoeff();
    // rounding 1e-16 in q times M / (J_m d h^3)
    EXPECT_LT((blocks.u - whole.u).cwiseAbs().maxCoeff(), 1e-6 * u) << name;
    EXPECT_LT((blocks.lambda - whole.lambda).cwiseAbs().maxCoeff(), 1e-7 * lambda) << name;
    EXPECT_LT((blocks.q - whole.q).cwiseAbs().maxCoeff(), 1e-9) << name;
  }
}

// BDF converges to the exact solution with its order.
TEST(Constrained, OrderOfConvergence) {
  const Job job = example_job("four_bar");
  const Posed posed = pose(job);
  for (const int order : {1, 2, 3, 4}) {
    double last = 0;
    for (const double step : {0.004, 0.002, 0.001}) {
      const Solution bdf =
          solve(posed.problem, posed.start, BdfOptions{.order = order, .step = step});
      const Solution exact = solve(posed.problem, posed.start, ExactOptions{.step = step});
      ASSERT_EQ(bdf.status, Status::solved);
      const auto first = bdf.t.size() / 5;  // past the corner of the path at its start
      const auto count = bdf.t.size() * 3 / 5;
      const double error = (bdf.u - exact.u).middleCols(first, count).cwiseAbs().maxCoeff();
      if (last > 0) EXPECT_NEAR(std::log2(last / error), order, 0.2) << order << " at " << step;
      last = error;
    }
  }
}

TEST(FourBar, ThreeOfSixRowsStay) {
  const Record record = ran("four_bar");
  EXPECT_EQ(record.robot.constraint_count(), 3);
  EXPECT_EQ(record.robot.redundant_constraints(),
            (std::vector<std::string>{"weld.y", "weld.rx", "weld.rz"}));
}

// A second motor on the rocker: one output, two drives. The least torque does the same motion.
TEST(RedundantActuation, TakesTheLeastTorque) {
  const std::vector<std::string> second = {
      "robot.links.rocker.drive={rotor_inertia: 2e-4, gear_ratio: 40}"};
  const Job job = example_job("four_bar", second);
  const Record record = run(job);
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_EQ(record.exit_code(), ExitCode::success);
  const Solution& s = record.solution;
  ASSERT_EQ(s.u.rows(), 2);
  ASSERT_EQ(record.diagnosis.torque_null_space.cols(), 1);
  EXPECT_NEAR(record.diagnosis.torque_null_space.col(0).dot(s.u.col(0)), 0, 1e-10);
  const Posed posed = pose(job);
  for (const Eigen::Index i : {Eigen::Index(0), s.t.size() / 3, s.t.size() / 2}) {
    const ReducedDynamics reduced(posed.problem.robot(), s.q.col(i), s.v.col(i), s.t[i]);
    // both torques pull along one direction in torque space: F^T B u is what the motion needs, and
    // the least u with that is along (F^T B)^T
    const Matrix FB = reduced.F().transpose() * input_matrix(posed.problem.robot());
    EXPECT_NEAR(s.u(0, i) * FB(0, 1) - s.u(1, i) * FB(0, 0), 0,
                1e-9 * FB.norm() * s.u.cwiseAbs().maxCoeff());
    EXPECT_LT((reduced.multipliers(s.u.col(i)) - s.lambda.col(i)).norm(),
              1e-8 * (1 + s.lambda.col(i).norm()));
  }
  // with bdf as well
  const Solution bdf = solve(posed.problem, posed.start, BdfOptions{.order = 4, .step = 5e-4});
  ASSERT_EQ(bdf.status, Status::solved);
  const Solution exact = solve(posed.problem, posed.start, ExactOptions{.step = 5e-4});
  EXPECT_LT((bdf.u - exact.u).rightCols(bdf.t.size() - 300).cwiseAbs().maxCoeff(),
            1e-4 * exact.u.cwiseAbs().maxCoeff());  // h^4
  EXPECT_THROW(solve(posed.problem, posed.start, BdfOptions{.form = BdfForm::monolithic}),
               ProblemError);
}

TEST(RedundantActuation, WithElasticDrives) {
  const Record record =
      ran("four_bar",
          {"robot.links.crank.drive={rotor_inertia: 2e-4, gear_ratio: 50, stiffness: 2000, "
           "damping: 2}",
           "robot.links.rocker.drive={rotor_inertia: 2e-4, gear_ratio: 40, stiffness: 2000, "
           "damping: 2}"});
  ASSERT_TRUE(record.verification) << record.solution.message;
  EXPECT_LT(*record.verification->max_orientation_error_rad, 1e-5);
}

TEST(Simulation, ConstantOrientationIsKeptUnderArbitraryTorques) {
  Job job = example_job("constant_orientation", {"simulation={duration: 5, rate: 100, start: {q: "
                                                 "{upper: 0.4, fore: 0.2}}}"});
  const FreeRun result = simulate_job(job, {});
  ASSERT_EQ(result.simulation.status, Status::solved);
  const Matrix sum = result.simulation.q.row(0) + result.simulation.q.row(1);
  EXPECT_LT((sum.array() - 0.6).abs().maxCoeff(), 1e-12);  // asked for
  EXPECT_GT(result.simulation.q.row(0).maxCoeff() - result.simulation.q.row(0).minCoeff(), 0.5);
  EXPECT_LT(result.energy_balance_error, 1e-8);
}

// The driver's multiplier is the torque that a motor would need: given to a motor on the tree it
// makes the same motion.
TEST(Simulation, TheDriversMultiplierIsItsTorque) {
  const FreeRun driven = simulate_job(example_job("driven_pendulum", {"simulation.rate=1000"}), {});
  ASSERT_EQ(driven.simulation.status, Status::solved);
  EXPECT_LT(driven.energy_balance_error, 1e-9);  // the driver's work is counted
  const Simulation& d = driven.simulation;
  const Job tree = job_from(R"(
tauflex: 1
robot:
  gravity: [0, -9.81, 0]
  links:
    - {name: bar2, joint: {parent: world, type: revolute, axis: z}, drive: {}, mass: 2, com: [0.5, 0, 0], inertia: {zz: 0.2}}
    - {name: bar3, joint: {parent: bar2, at: [1, 0, 0], type: revolute, axis: z}, mass: 1, com: [0.4, 0, 0], inertia: {zz: 0.1}}
simulation: {duration: 3}
)");
  const Robot robot(tree.robot);
  const int row = 4;  // after A.x A.y B.x B.y
  ASSERT_EQ(driven.plant.constraints()[row].name, "driver");
  ForwardProblem forward(robot, TorqueSignal(d.t, d.lambda.row(row), Hold::smooth));
  const Vector q0 = Eigen::Vector2d(d.q(2, 0), d.q(5, 0) - d.q(2, 0)),
               v0 = Eigen::Vector2d(d.v(2, 0), d.v(5, 0) - d.v(2, 0));
  const Simulation free = simulate(forward, q0, v0, d.t.head(3001));
  ASSERT_EQ(free.status, Status::solved);
  EXPECT_LT((free.q.row(0) - d.q.row(2).head(3001)).cwiseAbs().maxCoeff(), 1e-6);  // 1 kHz table
}

// A plant like the model follows: errors die out as e'' + kd e' + kp e = 0 says.
TEST(Controllers, ComputedTorqueGivesLinearErrors) {
  const Job job = example_job(
      "computed_torque",
      {"verification.plant={}", "controller={computed_torque: {kp: [100, 100], kd: [20, 20]}}",
       "simulation={start: {q: {bar2: 0.3, bar3: 0.9}}, rate: 100, duration: 1.5}"});
  const FreeRun result = simulate_job(job, {});
  ASSERT_EQ(result.simulation.status, Status::solved);
  const Vector& t = result.simulation.t;
  Vector wanted(2);
  for (Eigen::Index i = 0; i < t.size(); ++i) {
    path_values<double>(*job.task.path, t[i], wanted);
    const double decay = (1 + 10 * t[i]) * std::exp(-10 * t[i]);  // critically damped
    // the path's own acceleration jumps by its 3rd derivative at both ends: no corner in y''
    EXPECT_NEAR(result.y(0, i) - wanted[0], 0.1 * decay, 1e-7) << t[i];
    EXPECT_NEAR(result.y(1, i) - wanted[1], -0.1 * decay, 1e-7) << t[i];
  }
}

// The same through a loop, whose constraint turns with the motion.
TEST(Controllers, ComputedTorqueOfALoop) {
  const Job job =
      example_job("four_bar", {"controller={computed_torque: {kp: [100], kd: [20]}}",
                               "simulation={start: {q: {crank: -0.9, coupler: 0.4, rocker: -1.6, "
                               "coupler_end: 1.0}}, rate: 100, duration: 1}"});
  const FreeRun result = simulate_job(job, {});
  ASSERT_EQ(result.simulation.status, Status::solved) << result.simulation.message;
  Vector wanted(1);
  path_values<double>(*job.task.path, 0.0, wanted);
  const double first = result.y(0, 0) - wanted[0];  // where it was put together
  EXPECT_GT(std::abs(first), 0.05);
  for (Eigen::Index i = 0; i < result.simulation.t.size(); ++i) {
    const double t = result.simulation.t[i], decay = (1 + 10 * t) * std::exp(-10 * t);
    path_values<double>(*job.task.path, t, wanted);
    EXPECT_NEAR(result.y(0, i) - wanted[0], first * decay, 1e-7) << t;
  }
}

TEST(Controllers, SamplingAndMismatchCost) {
  const auto error = [](const std::vector<std::string>& overrides) {
    const Record record = ran("computed_torque", overrides);
    return *record.verification->max_orientation_error_rad;
  };
  const double same = error({"verification.plant={}"});
  EXPECT_LT(same, 1e-3);  // rad: the hold of 1 ms alone
  EXPECT_GT(error({}), 3 * same);
  EXPECT_LT(error({"verification.plant={}",
                   "controller={computed_torque: {kp: [900, 900], kd: "
                   "[60, 60]}}"}),
            1e-6);  // rad: continuous, nothing to correct but the integrator's error
}

TEST(Controllers, FeedforwardAndPd) {
  const auto error = [](const std::string& controller) {
    const Record record = ran("e12_bdf", {"controller=" + controller});
    EXPECT_EQ(record.verification->mode, VerificationMode::feedback);
    return *record.verification->max_tool_error_m;
  };
  const double both = error("{pd: {measured: motor}}"), joint = error("{pd: {measured: joint}}");
  EXPECT_LT(both, 1e-4);
  EXPECT_GT(joint, 10 * both);  // through the spring: the loop is less stable
  EXPECT_LT(joint, 2e-2);
  EXPECT_GT(error("{pd: {measured: motor}, feedforward: false}"), 1e-2);  // PD alone lags
  EXPECT_GT(error("{pd: {measured: motor}, sample: 0.002}"), both);
}

TEST(Reactions, AreInTheTable) {
  const Table table = trajectory_table(ran("anthropomorphic_joint"));
  const int fy = table.find("r.bar2.fy"), mz = table.find("r.bar3.mz"), u = table.find("u.bar3");
  ASSERT_GE(fy, 0);
  ASSERT_GE(mz, 0);
  // at the end of the motion the base carries the weight of both bars, and the moment is the
  // drive's
  EXPECT_NEAR(table.values(table.values.rows() - 1, fy), 6.5 * 9.81, 1e-6);
  EXPECT_LT((table.values.col(mz) - table.values.col(u)).cwiseAbs().maxCoeff(), 1e-12 * 50);
}

// Passive joints transmit no moment about their axes, the driven one that of its motor, and what
// the world gives to crank and rocker together moves the whole linkage.
TEST(Reactions, OfALoop) {
  const Job job = example_job("four_bar");
  const Posed posed = pose(job);
  const Robot& robot = posed.problem.robot();
  const Solution s = solve(posed.problem, posed.start, ExactOptions{.step = 0.01});
  MechanicsData data(robot);
  std::vector<Reaction> reactions;
  const int crank = robot.tree().find_link("crank"), rocker = robot.tree().find_link("rocker");
  const auto at = [](int i) { return static_cast<size_t>(i); };
  for (Eigen::Index i = 0; i < s.t.size(); i += 7) {
    body_forces<double>(robot, data, s.q.col(i), s.v.col(i), s.vdot.col(i));
    const Vector3 needed = data.force[at(robot.tree().body_of_link[crank])].f +
                           data.force[at(robot.tree().body_of_link[rocker])].f;
    const double size = needed.norm();
    for (const ReactionFrame frame :
         {ReactionFrame::world, ReactionFrame::joint, ReactionFrame::link}) {
      joint_reactions(robot, data, s.q.col(i), s.v.col(i), s.vdot.col(i), s.lambda.col(i), frame,
                      reactions);
      for (const char* name : {"rocker", "coupler", "coupler_end"})
        EXPECT_NEAR(reactions[at(robot.tree().find_link(name))].moment[1], 0, 1e-10 * size) << name;
      const double armature = 50 * 50 * 2e-4;
      EXPECT_NEAR(reactions[at(crank)].moment[1], 50 * s.u(0, i) - armature * s.vdot(0, i),
                  1e-10 * size);
    }
    joint_reactions(robot, data, s.q.col(i), s.v.col(i), s.vdot.col(i), s.lambda.col(i),
                    ReactionFrame::world, reactions);
    EXPECT_LT((reactions[at(crank)].force + reactions[at(rocker)].force - needed).norm(),
              1e-10 * size);
    const Vector3 in_world = reactions[at(crank)].force;
    joint_reactions(robot, data, s.q.col(i), s.v.col(i), s.vdot.col(i), s.lambda.col(i),
                    ReactionFrame::link, reactions);
    const double angle = s.q(0, i);  // about y
    EXPECT_NEAR(reactions[at(crank)].force[0],
                std::cos(angle) * in_world[0] - std::sin(angle) * in_world[2], 1e-10 * size);
  }
}

// The base slides as a constraint says, the tool stays on its line in the world.
TEST(MovingBase, ToolFollowsItsPathInTheWorld) {
  const Record record = run(job_from(R"(
tauflex: 1
robot:
  gravity: [0, 0, -9.81]
  links:
    - {name: ship, joint: {parent: world, type: [x, z]}, mass: 100}
    - {name: upper, joint: {parent: ship, type: revolute, axis: -y}, drive: {}, mass: 5, com: [0.3, 0, 0], inertia: {yy: 0.2}}
    - {name: fore, joint: {parent: upper, at: [0.6, 0, 0], type: revolute, axis: -y}, drive: {}, mass: 3, com: [0.25, 0, 0], inertia: {yy: 0.1}}
  frames: {tool: {link: fore, at: [0.5, 0, 0]}}
  constraints:
    - {name: sway, relation: {joints: {ship.x: 1}}, path: {sine: {center: 0, amplitude: 0.1, frequency: 0.5}}}
    - {name: heave, relation: {joints: {ship.z: 1}}, path: {sine: {center: 0, amplitude: 0.05, frequency: 0.7, phase: 0.4}}}
task:
  outputs: [tool.x, tool.z]
  path: {line: {from: [0.7, 0.3], to: [0.5, 0.5]}, duration: 1, profile: polynomial7}
  start: {near: {upper: 1.0, fore: -1.2}}
verification: {torque: smooth, tolerance: 1e-6}
)"));
  EXPECT_EQ(record.solution.method, "exact");
  ASSERT_TRUE(record.verification);
  EXPECT_EQ(record.verification->status, Status::solved) << record.verification->message;
  EXPECT_GT(record.solution.v.row(0).cwiseAbs().maxCoeff(), 0.2);  // m/s, from the first moment on
}

// A bead on a ring is a pendulum, one on a parabola keeps its energy.
TEST(Curves, BeadsOnWires) {
  const auto bead = [](const std::string& wire, const std::string& start) {
    return simulate_job(job_from(R"(
tauflex: 1
robot:
  gravity: [0, -9.81, 0]
  links: [{name: bead, joint: {parent: world, type: [x, y, z]}, mass: 1}]
  constraints: [{name: wire, )" + wire +
                                 R"(}]
simulation: {duration: 10, rate: 10, start: {q: {)" +
                                 start + R"(}}}
verification: {simulation: {relative_tolerance: 1e-12, absolute_tolerance: 1e-12}}
)"),
                        {});
  };
  const FreeRun ring = bead("circle: {frame: bead, normal: z, radius: 1}", "bead.x: -1");
  EXPECT_NEAR(ring.simulation.q(0, 100), -0.275087462576118, 1e-8);  // IFToMM A01
  EXPECT_NEAR(ring.simulation.q(1, 100), -0.961419205099125, 1e-8);
  const FreeRun parabola =
      bead("polynomial: {frame: bead, coefficients: [0, 0, 1]}", "bead.x: 1, bead.y: 1");
  const Simulation& s = parabola.simulation;
  EXPECT_LT(parabola.energy_balance_error, 1e-9);
  for (Eigen::Index i = 0; i < s.t.size(); ++i)
    EXPECT_NEAR(s.q(1, i), s.q(0, i) * s.q(0, i), 1e-12);
  EXPECT_LT(s.q.row(0).minCoeff(), -0.9);  // it swings to the other side
  const FreeRun line = bead("line: {frame: bead, direction: [1, -1, 0]}", "bead.x: 0");
  EXPECT_NEAR(line.simulation.q(0, 10), 9.81 / 4, 1e-9);  // half of g along the slope, after 1 s
}

}  // namespace
}  // namespace tauflex
