// How cost grows with the robot: elastic drives followed by passive spring joints, and elastic
// drives alone. Time and memory of one step of the blockwise BDF method.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "tauflex/problem/start.hpp"
#include "tauflex/solvers/solve.hpp"
#include "tauflex/trajectory/line.hpp"

namespace {

using namespace tauflex;

Link planar_link(int index, double length) {
  Link link;
  link.name = "link" + std::to_string(index);
  if (index > 0) {
    link.joint.parent = "link" + std::to_string(index - 1);
    link.joint.X_PJ.p = {length, 0, 0};
  }
  link.joint.axis = {0, -1, 0};
  link.inertia.mass = 2;
  link.inertia.com = {length / 2, 0, 0};
  link.inertia.about_com = Matrix3::Identity() * 0.05;
  link.inertia.given = {true, true, true, false, false, false};
  return link;
}

Drive elastic_drive() {
  return {.rotor_inertia = 5e-3,
          .gear_ratio = 50,
          .elastic = Drive::Elasticity{.stiffness = 5e4, .damping = 50}};
}

// Two elastic drives carry a chain of `passive` spring joints; the tool is where the chain starts.
InverseProblem chain(int passive) {
  RobotDescription robot;
  for (int i = 0; i < 2 + passive; ++i) {
    Link link = planar_link(i, i < 2 ? 0.5 : 0.05);
    if (i == 2) link.joint.X_PJ.p = {0.5, 0, 0};
    if (i < 2)
      link.drive = elastic_drive();
    else {
      link.inertia.mass = 0.2;
      link.inertia.about_com *= 0.01;
      link.spring = Spring{.stiffness = 500, .damping = 1};
    }
    robot.links.push_back(link);
  }
  robot.frames.push_back({"tool", "link1", {Matrix3::Identity(), {0.5, 0, 0}}, ""});
  Task task;
  task.outputs = {"tool.x", "tool.z"};
  task.path =
      std::make_shared<LinePath>(Eigen::Vector2d(0.7, 0.2), Eigen::Vector2d(0.5, 0.5), 0.5, 11);
  task.near = {{"link0", 1.0}, {"link1", -1.4}};
  return InverseProblem(Robot(robot), task);
}

// `drives` elastic drives in a row, all joint positions given.
InverseProblem drives(int count) {
  RobotDescription robot;
  Task task;
  for (int i = 0; i < count; ++i) {
    Link link = planar_link(i, 0.1);
    link.joint.axis = Vector3::Unit(i % 3);
    link.drive = elastic_drive();
    robot.links.push_back(link);
    task.outputs.push_back(link.name);
  }
  task.path =
      std::make_shared<LinePath>(Vector::Zero(count), Vector::Constant(count, 0.3), 0.5, 11);
  return InverseProblem(Robot(robot), task);
}

void measure(benchmark::State& state, const InverseProblem& problem) {
  const RestState start = consistent_start(problem);
  const BdfOptions options{.order = 4, .step = 1e-3};
  Solution solution;
  for (auto _ : state) {
    solution = solve(problem, start, options);
    if (solution.status != Status::solved) state.SkipWithError(solution.message.c_str());
    benchmark::DoNotOptimize(solution.u.data());
  }
  const double numbers = static_cast<double>(solution.q.rows() + solution.v.rows() * 2 +
                                             solution.u.rows() + solution.y.rows() + 1);
  state.counters["dof"] = problem.robot().nv();
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(solution.steps),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_step"] = 8 * numbers;
  state.counters["newton_per_step"] =
      static_cast<double>(solution.newton_iterations) / solution.steps;
}

void PassiveChain(benchmark::State& state) {
  measure(state, chain(static_cast<int>(state.range(0))));
}
void ElasticDrives(benchmark::State& state) {
  measure(state, drives(static_cast<int>(state.range(0))));
}

BENCHMARK(PassiveChain)->Arg(4)->Arg(10)->Arg(25)->Arg(50)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(ElasticDrives)->Arg(6)->Arg(12)->Arg(25)->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
